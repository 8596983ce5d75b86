import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { AssetTotals, Totals } from "@/lib/db/enums/movements";
import english from "@/messages/en.json";
import { ControlTotals } from "./control-totals";

const shown = (totals: Totals) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <ControlTotals totals={totals} />
    </NextIntlClientProvider>,
  );

const sums = { count: 1, in: "1.00", out: "0.00", unsigned: 0 };
const tokenOf = (n: number): AssetTotals => ({
  ...sums,
  coin: { network: "TRON", token: `T${n}`, asset: `COIN${n}` },
  notWhole: 2,
});

it("says once how many totals may be incomplete and folds all but four", () => {
  const tokens = [1, 2, 3, 4, 5, 6].map((n) => [`t${n}`, tokenOf(n)] as const);
  const markup = shown({ BRL: sums, ...Object.fromEntries(tokens) });
  expect(markup.match(/may be incomplete/g)).toHaveLength(1);
  expect(markup).toContain("* 6 totals may be incomplete");
  const [open = "", folded = ""] = markup.split("<details>");
  expect(open.match(/COIN/g)).toHaveLength(3);
  expect(folded).toContain("3 more totals");
});

const cellsOf = (row = "") => [...row.matchAll(/<(t[hd])( scope="\w+")?[^>]*>(.*?)<\/\1>/g)];
const textOf = (html = "") => html.replaceAll(/<[^>]*>/g, "");

it("is a table of each asset with its sums and number of entries", () => {
  const markup = shown({ BRL: { ...sums, count: 1_234, unsigned: 2, own: { in: "0.50", out: "0.00" } } });
  const rows = markup.split("<tr").slice(1);
  expect(cellsOf(rows[0]).map(([, , scope, html]) => `${scope} ${textOf(html)}`)).toEqual([
    ' scope="col" Asset',
    ' scope="col" In',
    ' scope="col" Out',
  ]);
  expect(cellsOf(rows[1]).map(([, , , html]) => textOf(html))).toEqual(["BRL1,234 entries", "R$1.00", "R$0.00"]);
  expect(rows[2]).toMatch(/<th scope="row" title="[^"]*as far as was known[^"]*">Incl. between accounts here</);
  expect(textOf(rows[3])).toContain("2 entries without");
});

it("shows a short, complete list without folding or warning", () => {
  const markup = shown({ BRL: sums });
  expect(markup).not.toContain("<details>");
  expect(markup).not.toContain("*");
});
