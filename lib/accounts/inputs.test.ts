import { expect, it } from "vitest";
import { readAmount } from "@/lib/text/typed-amount";
import { statementFilterValues, isSifted, StatementFilter } from "./inputs";

it("accepts typed amounts and refuses documents", () => {
  const filter = StatementFilter.parse({ min: "R$ 1.234,56", max: "x", search: "CPF 529.982.247-25", direction: "up" });
  expect(filter).toMatchObject({ min: "1234.56", max: undefined, search: undefined, direction: undefined });
  expect(isSifted(filter)).toBe(true);
  expect(isSifted(StatementFilter.parse({ search: "***.982.247-**" }))).toBe(false);
  expect(isSifted(StatementFilter.parse({ search: "5 2 9 9 8 2 2 4 7 2 5", pix: "true" }))).toBe(false);
  expect(statementFilterValues(filter)).not.toHaveProperty("page");
});

it.each(["982247", "982.247", "982 247", "222.333/0001", "CPF 982.247"])(
  "does not search by part of a document: %s",
  (search) => {
    expect(StatementFilter.parse({ search }).search).toBeUndefined();
  },
);

it.each(["Aluguel", "pedido 123456", "3f2a77b0", "TED 2026", "982.2"])("searches by anything else: %s", (search) => {
  expect(StatementFilter.parse({ search }).search).toBe(search);
});

it.each([
  ["1.234", "1234"],
  ["1.234,5", "1234.5"],
  ["1234.56", "1234.56"],
  ["1,234.56", "1234.56"],
  ["1 234,56", "1234.56"],
  ["1\u202f234,56", "1234.56"],
  ["R$\u00a01.234.567", "1234567"],
  ["1'234.56", "1234.56"],
  ["１２３４,５６", "1234.56"],
  ["1,5.00", null],
  ["12.34,56", null],
  ["1.234.56", null],
  ["1,234,56", null],
  ["1.2345", null],
  ["1;50", null],
  ["-3", null],
  ["0,001", null],
  ["", null],
])("parses the amount %j as %j", (typed, amount) => expect(readAmount(typed)).toBe(amount));

it.each(["261126", "2611262", "26112", "1126", "20/26/1126", "02/06/1126"])(
  "refuses to read %j in a URL as a day of another century",
  (from) => {
    const { from: read, to } = StatementFilter.parse({ from });
    expect(read).toBe(StatementFilter.parse({}).from);
    expect(to).toBe(StatementFilter.parse({}).to);
  },
);
