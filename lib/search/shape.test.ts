import { describe, expect, it } from "vitest";
import { readPixKey } from "@/lib/accounts/inputs";
import { numberIn } from "@/lib/accounts/look-up";
import { pasted } from "@/lib/contract/fold";
import { pastedAddress } from "@/lib/wallets/inputs";
import { shapeOf, soleIdIn } from "./shape";
import { digitsOfSlip } from "./view";

const EVM = "0x52908400098527886E0F7030069857D2E4169EE7";
const TRON = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";

describe("an id as somebody pasted it", () => {
  it.each([
    "abc-1",
    " abc-1;",
    "abc-1,",
    '"abc-1"',
    "'abc-1';",
    "“abc-1”",
    "<abc-1>",
    "\u200babc-1\ufeff",
    "abc\u00ad-1",
  ])("drops what was pasted along with an id: %j", (text) => expect(pasted(text)).toBe("abc-1"));

  it.each([
    [EVM.slice(2), EVM],
    [`ethereum:${EVM}@1`, EVM],
    [`"${EVM}";`, EVM],
    ["415cbdd86a2fa8dc4bddd8a8f69dba48572eec07fb", TRON],
    ["0x415cbdd86a2fa8dc4bddd8a8f69dba48572eec07fb", TRON],
    ["bitcoin:BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4?amount=1", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
  ])("reads a pasted address: %s", (text, address) => expect(pastedAddress(text)).toBe(address));

  it.each(["pix:529.982.247-25", "PIX: 52998224725;", "chave pix: 529.982.247-25", "52998224725,"])(
    "reads a pasted PIX key: %s",
    (text) => expect(readPixKey(text)).toBe("52998224725"),
  );

  it.each(["12345-6;", '"12345-6"', "\u200b12345-6", "0001/12345-6,"])("reads a pasted account number: %s", (text) =>
    expect(numberIn(text)?.number).toBe("123456"),
  );
});

describe("an id among words", () => {
  const hash = "1e71b0c4".repeat(8);
  it.each([
    [`hash: ${hash}`, hash],
    [`tx ${hash} ok?`, hash],
    [`0x${hash}, paid twice: 0x${hash}.`, `0x${hash}`],
    [`https://etherscan.io/tx/0x${hash}`, `0x${hash}`],
    [`e2e E1234567820261129224412345678901 (Ana)`, "E1234567820261129224412345678901"],
    [`to ${EVM}.`, EVM],
  ])("reads %s", (typed, id) => expect(soleIdIn(typed)).toBe(id));

  it.each([`${hash} or ${hash.replaceAll("1", "2")}`, "new transfer", "NF 12.345.678/2026-01", "pedido-20437"])(
    "leaves alone what names none or two: %s",
    (typed) => expect(soleIdIn(typed)).toBe(typed),
  );
});

it.each([
  ["CPF 417.205.638-53 e CPF 987.123.456-28", "several"],
  ["41720563853, 98712345628", "several"],
  ["417.205.638-53 e 417.205.638-54", "several"],
  ["417.205.638-54", "slip"],
  ["41720563854", "slip"],
])("tells several documents from a mistyped one: %s", (typed, shape) => expect(shapeOf(typed)).toBe(shape));

describe("an account's number", () => {
  it.each([
    ["5299822472", 10],
    ["529.982.247-2", 10],
    ["529982247250", 12],
    ["1122233300018", 13],
    ["12345-6", null],
    ["0001/123456", null],
  ])("tells an account number from a mistyped document by its digits: %s", (typed, count) => {
    expect([shapeOf(typed), digitsOfSlip(typed)]).toEqual(["number", count]);
  });
});

it.each(["0001 104735-3", "Agência 0001 · Conta 104735-3", "ag 0001 cc 104735-3", "0001 / 104735-3", "conta 104735-3"])(
  "reads an account's number with its branch as screens print it: %s",
  (typed) => {
    expect([shapeOf(typed), numberIn(typed)?.number]).toEqual(["number", "1047353"]);
  },
);

it.each(["999.999.999-99", "529.982.247-24", "11.222.333/0001-80"])(
  "takes what is written as a document for one with wrong digits: %s",
  (typed) => {
    expect(shapeOf(typed)).toBe("slip");
  },
);
