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

it("shows a short, complete list without folding or warning", () => {
  const markup = shown({ BRL: sums });
  expect(markup).not.toContain("<details>");
  expect(markup).not.toContain("*");
});
