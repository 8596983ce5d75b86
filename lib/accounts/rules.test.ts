import { expect, it } from "vitest";
import { readAmount } from "@/lib/text/typed";
import { filterValues, isSifted, StatementFilter } from "./rules";

it("takes amounts as people write them, and no document to look for", () => {
  const filter = StatementFilter.parse({ min: "R$ 1.234,56", max: "x", sought: "CPF 529.982.247-25", direction: "up" });
  expect(filter).toMatchObject({ min: "1234.56", max: undefined, sought: undefined, direction: undefined });
  expect(isSifted(filter)).toBe(true);
  expect(isSifted(StatementFilter.parse({ sought: "***.982.247-**" }))).toBe(false);
  expect(isSifted(StatementFilter.parse({ sought: "5 2 9 9 8 2 2 4 7 2 5", pix: "true" }))).toBe(false);
  expect(filterValues(filter)).not.toHaveProperty("page");
});

it.each([
  ["1.234", "1234"],
  ["1.234,5", "1234.5"],
  ["1234.56", "1234.56"],
  ["1,234.56", null],
  ["-3", null],
  ["0,001", null],
  ["", null],
])("reads the amount %j as %j", (typed, amount) => expect(readAmount(typed)).toBe(amount));
