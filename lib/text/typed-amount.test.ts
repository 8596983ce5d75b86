import { expect, it } from "vitest";
import { readCoins, readReais } from "./typed-amount";

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
