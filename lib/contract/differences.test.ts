import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Balance, History } from "./accounts";
import { differencesIn } from "./differences";
import accounts from "./fixtures/accounts.json";
import { parseJson } from "./json";
import { KycList } from "./kyc";
import { OnboardingRecord } from "./onboarding";
import { READS } from "./reads";

const said = (documented: Parameters<typeof differencesIn>[0], answer: unknown) =>
  differencesIn(documented, answer).map(({ is, field, found, documented: type }) => [is, field, found, type].join(" "));

const balance = accounts.balance;

describe("the differences of an answer from the contract", () => {
  it("finds none in the documented answers", () => {
    expect(said(Balance, balance)).toEqual([]);
    expect(said(READS.getHistory.answer ?? History, accounts.history)).toEqual([]);
  });

  it("names a missing, a retyped and an unknown field", () => {
    const { balance: amount, ...rest } = balance.data;
    const answer = { ...balance, data: { ...rest, blockedBalance: String(amount), saldo: amount } };
    expect(said(Balance, answer)).toEqual([
      "MISSING data.balance  number",
      "RETYPED data.blockedBalance string number",
      "UNKNOWN data.saldo number ",
    ]);
  });

  it("names a missing object once, without its fields", () => {
    expect(said(Balance, { status: "OK" })).toEqual(["MISSING data  object"]);
    expect(said(Balance, [])).toEqual(["RETYPED  array object"]);
    expect(said(Balance, null)).toEqual(["RETYPED  null object"]);
  });

  it("names a field of many entries once", () => {
    const entry = { kycUUID: "k-1", vatNumber: "***", process: 7, status: "PENDING", kycType: "PF" };
    expect(said(KycList, { page: 1, limit: 20, result: [entry, entry, { ...entry, process: null }] })).toEqual([
      "RETYPED result[].process integer string",
      "RETYPED result[].process null string",
    ]);
  });

  it("lets optional fields be absent or null, and whole numbers be numbers", () => {
    const account = { accountId: null, branch: "", account: "", documentNumber: "1" };
    const body = { clientCode: "aurora", account, traceId: "t", biometricUrl: null };
    const envelope = { status: 200, httpCode: 200, when: 1 };
    expect(said(OnboardingRecord, { ...envelope, data: { status: "PROCESSING", body } })).toEqual([]);
    expect(said(Balance, { data: { accountId: "a", balance: 1, blockedBalance: 0.5 } })).toEqual([]);
  });

  it("reads an exact number as a number", () => {
    const exact = '{"data":{"accountId":"a","balance":12345678901234567890.12,"blockedBalance":12345678901234567890}}';
    expect(said(Balance, parseJson(exact))).toEqual([]);
  });

  it.each([
    "52998224725",
    "ana@exemplo.com.br",
    "0x9858EfFD232B4033E47d90003D41EC34EcaEda94",
    "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
  ])("does not repeat a key that may be a value: %s", (key) => {
    expect(said(Balance, { ...balance, data: { ...balance.data, [key]: 1 } })).toEqual(["UNKNOWN data.* integer "]);
  });

  it("names an object with many unknown keys as one", () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`campo_${n}`, n]));
    expect(said(Balance, { ...balance, data: { ...balance.data, ...many } })).toEqual(["UNKNOWN data.* object "]);
  });

  it("never has a value of the answer, and never throws", () => {
    const documented = Object.values(READS).flatMap(({ answer }) => answer ?? []);
    fc.assert(
      fc.property(fc.constantFrom(...documented), fc.jsonValue(), (schema, value) => {
        for (const { found, field } of differencesIn(schema, { data: value, result: value, secret: "s3cr3t" })) {
          expect(["", "null", "array", "integer", "number", "string", "boolean", "object"]).toContain(found);
          expect(field).not.toContain("s3cr3t");
        }
      }),
    );
  });
});
