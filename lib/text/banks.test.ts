import { expect, it } from "vitest";
import { bankOfIspb, BANKS, banksLike } from "./banks";

it("gives each bank its own three-digit code and eight-digit ISPB", () => {
  for (const { code, ispb, name } of BANKS) expect(`${code} ${ispb} ${name}`).toMatch(/^\d{3} \d{8} \S/);
  expect(new Set(BANKS.map(({ ispb }) => ispb)).size).toBe(BANKS.length);
  expect(new Set(BANKS.map(({ code }) => code)).size).toBe(BANKS.length);
});

it("keeps the leading zeros of Banco do Brasil's code and ISPB", () => {
  expect(bankOfIspb("00000000")).toEqual({ code: "001", ispb: "00000000", name: "Banco do Brasil S.A." });
});

it.each([
  ["341", "60701190"],
  ["1", "00000000"],
  ["60701190", "60701190"],
  ["itau uni", "60701190"],
  ["ITAÚ", "60701190"],
  ["nubank", "18236120"],
  ["341 · Itaú Unibanco S.A.", "60701190"],
])("finds its bank first for %s", (typed, ispb) => {
  expect(banksLike(typed)[0]?.ispb).toBe(ispb);
});

it("finds no bank for unknown words", () => {
  expect(banksLike("banco do povo")).toEqual([]);
});
