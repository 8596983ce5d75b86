import { assert, bigInt, constantFrom, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { formatBrl, formatCrypto } from "./format";
import { readAmount, readCoins, readReais } from "./typed-amount";

const grouped = (whole: string, by: string) => whole.replaceAll(/\B(?=(\d{3})+$)/g, by);

/** Ways to group and to write decimals, of which no two marks are the same. */
const WAYS = [
  [".", ","],
  [",", "."],
  [" ", ","],
  [" ", "."],
  ["\u00a0", ","],
  ["'", "."],
  ["", ","],
  ["", "."],
] as const;

const AROUND = ["R$ ", "R$", "R$\u00a0", "BRL ", "brl ", "", " "] as const;

const whole = bigInt({ min: 0n, max: 999_999_999_999_999n }).map(String);
const cents = integer({ min: 0, max: 99 }).map((value) => String(value).padStart(2, "0"));

describe("reais in any usual spelling", () => {
  it("are read as the same amount by every reader, however they are grouped", () => {
    assert(
      property(whole, cents, constantFrom(...WAYS), constantFrom(...AROUND), (units, few, [by, mark], before) => {
        const written = `${before}${grouped(units, by)}${mark}${few}`;
        expect(readReais(written)).toBe(`${units}.${few}`);
        expect(readAmount(written)).toBe(`${units}.${few}`);
      }),
    );
  });

  it("are read as they are shown, in both languages", () => {
    assert(
      property(whole, cents, constantFrom("pt-BR" as const, "en" as const), (units, few, locale) => {
        expect(readReais(formatBrl(`${units}.${few}`, locale))).toBe(`${units}.${few}`);
      }),
    );
  });

  it.each([
    ["581.234,50", "581234.50"],
    ["581,234.50", "581234.50"],
    ["581234.5", "581234.50"],
    ["R$ 581.234,50", "581234.50"],
    ["581.234,50 reais", "581234.50"],
    ["1.234.567", "1234567.00"],
    ["0,01", "0.01"],
    ["1.234", null],
    ["1,234", null],
    ["1,2345", null],
    ["12.34.567", null],
    ["1.234,567.89", null],
    ["-1", null],
    ["1e3", null],
    ["", null],
  ])("reads %s as %s", (written, reais) => {
    expect(readReais(written)).toBe(reais);
  });
});

describe("coins in any usual spelling", () => {
  const fraction = integer({ min: 1, max: 999_999_999 }).map((value) => `${String(value).padStart(9, "0")}1`);

  it("keep all their decimals, however they are grouped", () => {
    assert(
      property(whole, fraction, constantFrom(...WAYS), (units, few, [by, mark]) => {
        expect(readCoins(`${grouped(units, by)}${mark}${few}`)).toBe(`${units}.${few}`);
      }),
    );
  });

  it("are read as they are shown, or refused as ambiguous", () => {
    assert(
      property(
        whole,
        constantFrom("", ".5", ".25", ".125"),
        constantFrom("pt-BR" as const, "en" as const),
        (units, few, locale) => {
          expect([`${units}${few}`, "ambiguous"]).toContain(readCoins(formatCrypto(`${units}${few}`, locale)));
        },
      ),
    );
  });

  it.each([
    ["0,5", "0.5"],
    ["0.123", "0.123"],
    ["007,10", "7.1"],
    ["1.234,5678", "1234.5678"],
    ["1 234", "1234"],
    ["1234.567", "1234.567"],
    ["1,234,567", "1234567"],
    ["1.234", "ambiguous"],
    ["R$ 5", null],
    ["-1", null],
    ["1e3", null],
  ])("reads %s as %s", (written, coins) => {
    expect(readCoins(written)).toBe(coins);
  });
});
