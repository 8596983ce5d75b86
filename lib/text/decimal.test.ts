import { expect, it } from "vitest";
import { decimalOf, roundToCents, unitsOf } from "./decimal";

it.each(["0.00", "12.34", "-1.30", "0.30000000000000004", "100000000000000.01"])(
  "keeps the decimal %s unchanged",
  (decimal) => {
    expect(decimalOf(unitsOf(decimal))).toBe(decimal);
  },
);

it("adds and subtracts to the last decimal", () => {
  expect(decimalOf(unitsOf("0.1") + unitsOf("0.2"))).toBe("0.30");
  expect(decimalOf(unitsOf("10") - unitsOf("10.01"))).toBe("-0.01");
});

it.each([
  ["31400.328162", "31400.33"],
  ["0.004", "0.00"],
  ["0.005", "0.01"],
  ["-0.005", "-0.01"],
  ["-0.004999", "0.00"],
  ["9.999", "10.00"],
  ["12", "12.00"],
])("rounds %s to the cent %s", (decimal, rounded) => {
  expect(roundToCents(decimal)).toBe(rounded);
});
