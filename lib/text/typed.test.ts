import { describe, expect, it } from "vitest";
import {
  isAbbreviated,
  isLetteredCnpj,
  readDate,
  readMinute,
  readCoins,
  readReais,
  typedDate,
  typedDocument,
  typedMinute,
  typingCnpj,
  typingCpf,
  typingPhone,
  typingPostalCode,
  writtenDate,
} from "./typed";

describe("what is being typed", () => {
  it.each([
    ["0", "0"],
    ["07", "07"],
    ["070", "07/0"],
    ["07/09", "07/09"],
    ["07091984", "07/09/1984"],
    ["07/09/19845", "07/09/1984"],
    ["7/", "07/"],
    ["07/9/", "07/09/"],
    ["7/9/1984", "07/09/1984"],
    ["7-9-1984", "07/09/1984"],
    ["", ""],
    ["x", ""],
    ["26/nov/2026", "26/nov/2026"],
    ["26 de novembro de 2026", "26 de novembro de 2026"],
    ["2026/11/26", "2026/11/26"],
    ["20261126", "20261126"],
    ["26/11/26", "26/11/26"],
    ["26\u201311\u20132026", "26/11/2026"],
  ])("%s is shown as the date %s", (typed, shown) => {
    expect(typedDate(typed)).toBe(shown);
  });

  it("loses a slash with the key that erases it", () => {
    expect(typedDate("07")).toBe("07");
    expect(typedDate("07/0".slice(0, -1))).toBe("07/");
  });

  it.each([
    ["52998224725", "529.982.247-25"],
    ["529 982 247 25", "529.982.247-25"],
    ["11222333000181", "11.222.333/0001-81"],
    ["12abc34501de35", "12.ABC.345/01DE-35"],
    ["5299822472", "5299822472"],
  ])("%s is shown as the document %s", (typed, shown) => {
    expect(typedDocument(typed)).toBe(shown);
  });

  it.each([
    [typingCpf, "5299", "529.9"],
    [typingCpf, "529.982.247-25", "529.982.247-25"],
    [typingCpf, "529982247251", "529.982.247-251"],
    [typingCnpj, "12abc3", "12.ABC.3"],
    [typingCnpj, "11222333000181", "11.222.333/0001-81"],
    [typingPostalCode, "013101", "01310-1"],
    [typingPhone, "11", "11"],
    [typingPhone, "113000", "(11) 3000"],
    [typingPhone, "1130000000", "(11) 3000-0000"],
    [typingPhone, "11999990000", "(11) 99999-0000"],
    [typingPhone, "+5511999990000", "+55 (11) 99999-0000"],
    [typingPhone, "+351 912 345 678", "+351 912 345 678"],
  ])("%o shows %s as %s while it is typed", (mask, typed, shown) => {
    expect(mask(typed)).toBe(shown);
  });

  it("is a CNPJ with letters only when all of it is there", () => {
    expect(["12.ABC.345/01DE-35", "11.222.333/0001-81", "ABC"].map(isLetteredCnpj)).toEqual([true, false, false]);
  });
});

it.each(["J. Silva", "Maria A. Souza", "Maria A.Souza", "Maria S.", "É. Lima", "J.R. Prado"])(
  "%s is an abbreviated name",
  (name) => expect(isAbbreviated(name)).toBe(true),
);

it.each(["Maria D'Ávila", "José e Lima", "Ana de O", "Zé Jr.", "Pedro Filho.", "Ng Ó", ""])(
  "%s is no abbreviated name",
  (name) => expect(isAbbreviated(name)).toBe(false),
);

describe("a date as people write it", () => {
  it.each([
    ["07091984", "07/09/1984"],
    ["0709198409", "07/09/1984 09"],
    ["070919840930", "07/09/1984 09:30"],
    ["7/9/1984 9:", "07/09/1984 09:"],
    ["07/09/1984 ", "07/09/1984 "],
    ["2026-11-21T16:07", "2026-11-21T16:07"],
    ["26/11/2026 4:07 PM", "26/11/2026 4:07 PM"],
    ["26/nov/2026 16:07", "26/nov/2026 16:07"],
  ])("%s is shown as %s, with its time", (typed, shown) => {
    expect(typedMinute(typed)).toBe(shown);
  });

  it.each([
    ["07/09/1984", "1984-09-07"],
    ["7.9.1984", "1984-09-07"],
    ["07091984", "1984-09-07"],
    ["1984-09-07", "1984-09-07"],
    ["29/02/2024", "2024-02-29"],
    ["29/02/2025", null],
    ["31/02/2026", null],
    ["12/13/2026", null],
    ["07/09/84", null],
    ["261126", null],
    ["02061126", null],
    ["26/nov/2026", "2026-11-26"],
    ["26-Nov-2026", "2026-11-26"],
    ["26 nov. 2026", "2026-11-26"],
    ["26 de novembro de 2026", "2026-11-26"],
    ["1 de março de 2026", "2026-03-01"],
    ["Nov 26, 2026", "2026-11-26"],
    ["30/fev/2026", null],
    ["26/xyz/2026", null],
    ["2026/11/26", "2026-11-26"],
    ["20261126", "2026-11-26"],
    ["2026-11-26T23:30:00-03", "2026-11-26"],
    ["2026-11-27T02:30:00Z", "2026-11-26"],
    ["\u200e26/11/2026\u200e", "2026-11-26"],
    ["２６/１１/２０２６", "2026-11-26"],
    ["hoje", null],
    ["", null],
  ])("%s is the day %s", (typed, day) => {
    expect(readDate(typed)).toBe(day);
  });

  it.each([
    ["21/11/2026 16:07", "2026-11-21T16:07"],
    ["21/11/2026 9:07", "2026-11-21T09:07"],
    ["2026-11-21T16:07", "2026-11-21T16:07"],
    ["2026-11-21T19:07:30.5Z", "2026-11-21T16:07"],
    ["20261121T190730Z", "2026-11-21T16:07"],
    ["26/nov/2026 16h07", "2026-11-26T16:07"],
    ["26/11/2026, 16:07:30", "2026-11-26T16:07"],
    ["26/11/2026 às 16:07", "2026-11-26T16:07"],
    ["26/11/2026 4:07 PM", "2026-11-26T16:07"],
    ["26/11/2026 12:07 am", "2026-11-26T00:07"],
    ["26/11/2026 16:07 PM", null],
    ["21/11/2026", null],
    ["21/11/2026 24:00", null],
    ["31/02/2026 10:00", null],
  ])("%s is the minute %s", (typed, minute) => {
    expect(readMinute(typed)).toBe(minute);
  });

  it("may come without its time where one is known", () => {
    expect(readMinute("21/11/2026", "23:59")).toBe("2026-11-21T23:59");
    expect(readMinute("21/11/2026 16:07", "23:59")).toBe("2026-11-21T16:07");
  });

  it.each(["1984-09-07", "2026-11-21T16:07"])("%s is written so that it reads back as itself", (iso) => {
    const written = writtenDate(iso);
    expect(written).toMatch(/^\d\d\/\d\d\/\d{4}/);
    expect(readMinute(written) ?? readDate(written)).toBe(iso);
  });
});

it.each([
  ["5.000,00", "5000.00"],
  ["5,000.00", "5000.00"],
  ["1.234.567,89", "1234567.89"],
  ["1,234,567.89", "1234567.89"],
  ["0,01", "0.01"],
])("reads %s as a form writes it", (written, reais) => {
  expect(readReais(written)).toBe(reais);
});

it.each([
  ["0,5", "0.5"],
  ["0.123", "0.123"],
  ["007,10", "7.1"],
  ["1.234,5678", "1234.5678"],
  ["1 234", "1234"],
  ["1234.567", "1234.567"],
  ["1.234", "ambiguous"],
  ["1,234,567", "ambiguous"],
  ["-1", null],
  ["1e3", null],
])("reads coins written %s as %s", (written, coins) => {
  expect(readCoins(written)).toBe(coins);
});
