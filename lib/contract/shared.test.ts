import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { InternalTransfer } from "./accounts";
import accounts from "./fixtures/accounts.json";
import { losslessNumber, parseJson, stringifyJson } from "./json";
import { Brl, BrlAmount, known } from "./shared";

const inReais = (cents: bigint) => {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, "0");
  return `${cents < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

describe("money on the wire", () => {
  it("reads an amount exactly to the cent, however large", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), (cents) => {
        expect(Brl.parse(parseJson(inReais(cents)))).toBe(inReais(cents));
      }),
      { numRuns: 1000 },
    );
  });

  it("sends an amount as an exact JSON number", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 17n - 1n }), (cents) => {
        const order = parseJson(`{"userId":"u","accountIdFrom":"a","accountIdTo":"b","amount":${inReais(cents)}}`);
        const sent = stringifyJson(z.encode(InternalTransfer, InternalTransfer.parse(order)));
        expect(sent).toContain(`"amount":${inReais(cents)}`);
        expect(InternalTransfer.parse(parseJson(sent)).amount).toBe(inReais(cents));
      }),
      { numRuns: 1000 },
    );
  });

  it("reads an amount alike with or without trailing zeros", () => {
    for (const digits of ["50", "50.0", "50.00", "5e1", "50.000"])
      expect(Brl.safeParse(parseJson(digits)).data).toBe("50.00");
  });

  it.each([
    ["0", "0.00"],
    ["-0.01", "-0.01"],
    ["123456789012345678901234567890.99", "123456789012345678901234567890.99"],
  ])("accepts the amount %s in an answer", (digits, reais) => expect(Brl.parse(parseJson(digits))).toBe(reais));

  it.each([
    ["0.001", "0.001"],
    ["-1.005", "-1.005"],
    ["0.30000000000000004", "0.30000000000000004"],
    ["1e-7", "0.0000001"],
    ["12.5e-3", "0.0125"],
    ['"1234.56"', "1234.56"],
    ['" -10,00 "', null],
    ['"-10.5"', "-10.50"],
    ['"1.234,56"', null],
    ['"R$ 10"', null],
    ['""', null],
    ["null", null],
    ["true", null],
    ["1e400", null],
  ])("refuses the amount %s instead of rounding or guessing", (text, reais) => {
    expect(Brl.safeParse(parseJson(text)).data ?? null).toBe(reais);
  });

  it.each(["0", "0.00", "-0", "-5", "0.001", "1.005", "1e21", "1000000000000000", "1e-7", '"10"', "null", "true"])(
    "refuses the payment %s",
    (text) => expect(BrlAmount.safeParse(parseJson(text)).success).toBe(false),
  );

  it.each(["-5.00", "0.001", "1e3", "NaN", "", "10,00", "0.00"])("never sends an amount as %j", (amount) => {
    const order = { ...accounts.internalTransfer, amount };
    expect(() => z.encode(InternalTransfer, order)).toThrow(/custom|Invalid|amount/);
  });

  it("gives an invalid payment a code and a sentence", () => {
    expect(BrlAmount.safeParse(0).error?.issues).toMatchObject([{ params: { code: "amount" } }]);
  });
});

describe("JSON", () => {
  it("keeps every digit that a double cannot hold", () => {
    const text = '{"id":12345678901234567890,"rate":0.10000000000000000001,"n":7}';
    expect(stringifyJson(parseJson(text))).toBe(text);
  });

  it("writes an exact decimal as a number", () => {
    expect(stringifyJson({ value: losslessNumber("1234.50") })).toBe('{"value":1234.50}');
  });

  it("throws a SyntaxError for invalid text", () => {
    for (const text of ["", "<html>", "{", '{"a":1']) expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  it("keeps a body from reaching its reader's prototype", () => {
    expect(() => parseJson('{"__proto__":{"isAdmin":true}}')).not.toThrow(/custom|Invalid|amount/);
    expect(Object.hasOwn(Object.prototype, "isAdmin")).toBe(false);
  });
});

describe("a documented list of values", () => {
  const Status = known(["ACTIVE", "CLOSED"]);

  it("accepts a list's values and marks any other", () => {
    expect(Status.parse("ACTIVE")).toBe("ACTIVE");
    expect(Status.parse("active")).toBe("unknown:active");
    expect(Status.parse("")).toBe("unknown:");
  });

  it("marks numbers and nothing as unknown, and refuses objects", () => {
    expect(Status.parse(1)).toBe("unknown:1");
    expect([Status.parse(null), Status.parse(undefined)]).toEqual(["unknown:", "unknown:"]);
    expect(Status.safeParse({}).success).toBe(false);
  });
});
