import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { MovementFilter } from "@/lib/movements/inputs";
import type { AssetSum, MovementSummary } from "@/lib/movements/view";
import english from "@/messages/en.json";
import { Summary } from "./movement-summary";

// What is folded is made in a browser alone.
vi.mock("@/components/ui/fold", () => import("@/test/support/open-fold"));

const sides = (told: { in: string; out: string }) => ({ ...told, own: told });

const bitcoin = (out: string): AssetSum => ({
  key: "btc",
  coin: { network: "BITCOIN", asset: "BTC", token: null },
  count: 2,
  unsigned: 0,
  ...sides({ in: "0.46", out }),
  types: [
    { type: "incoming", count: 1, unsigned: 0, ...sides({ in: "0.46", out: "0" }) },
    { type: "outgoing", count: 1, unsigned: 0, ...sides({ in: "0", out }) },
  ],
});

type Kept = Pick<MovementSummary, "completeUntil" | "gaps">;
const NOTHING: Kept = { completeUntil: null, gaps: { count: 0, named: [] } };

function shown(one: AssetSum, filter: Record<string, unknown> = {}, kept = NOTHING): string {
  const summary = { count: 2, assets: [one], returned: null, perhapsOwn: null, drawn: null, days: [], sources: 2 };
  const html = renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <Summary summary={{ ...summary, ...kept }} filter={MovementFilter.parse(filter)} />
    </NextIntlClientProvider>,
  );
  return html.replaceAll(/<[^>]*>/g, "");
}

it.each([
  [0, "2026-11-29T03:00:00Z", "Complete until 29 Nov 2026 00:00 only"],
  [
    1,
    "2026-11-29T03:00:00Z",
    "Only 1 of 2 sources are complete, and these only until 29 Nov 2026 00:00: later movements of all",
  ],
  [1, "2026-11-30T03:00:00Z", "Only 1 of 2 sources are complete until 30 Nov 2026 00:00: any movement of the others"],
  [2, "2026-11-29T03:00:00Z", "Nothing was read whole yet"],
  [0, null, "Nothing was read whole yet"],
])("says how far %d gaps and %s leave the totals complete", (count, completeUntil, said) => {
  const kept = { completeUntil, gaps: { count, named: [] } };
  expect(shown(bitcoin("0.46"), { from: "2026-11-01", to: "2026-11-29" }, kept)).toContain(said);
});

const DIFFER = english.movements.ownDiffers;

it("says of a type the one side that it has, and of none that sides differ", () => {
  const text = shown(bitcoin("0.46"));
  expect(text).toContain("Between wallets here: In 0.46 · Out 0.46");
  expect(text.match(/Between wallets here: In 0\.46(?! ·)/g)).toHaveLength(1);
  expect(text.match(/Between wallets here: Out 0\.46/g)).toHaveLength(1);
  expect(text).not.toContain(DIFFER);
});

it("says that the sides differ where the filter leaves both in", () => {
  for (const filter of [{}, { direction: "own" }, { kind: "wallet" }, { asset: "btc" }])
    expect(shown(bitcoin("0.47"), filter).split(DIFFER)).toHaveLength(2);
});

it.each([
  { direction: "in" },
  { type: "incoming" },
  { wallet: "w" },
  { min: "465" },
  { search: "ab" },
  { state: "open" },
])("says nothing of the other side under %o", (filter) => {
  const text = shown(bitcoin("0"), filter);
  expect(text).not.toContain(DIFFER);
  expect(text).not.toMatch(/Between wallets here: In 0\.46 ·/);
});
