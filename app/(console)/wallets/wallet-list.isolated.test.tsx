import { NextIntlClientProvider } from "next-intl";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import type { WalletFilter } from "@/lib/wallets/inputs";
import type { WalletList } from "@/lib/wallets/queries";
import english from "@/messages/en.json";
import { EmptyList, Sums } from "./wallet-list";

// What is folded is made in a browser alone.
vi.mock("@/components/ui/fold", () => import("@/test/support/open-fold"));

const UNREAD = [{ fields: [], more: 0 }];

const marked = (element: ReactElement) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      {element}
    </NextIntlClientProvider>,
  );

const NO_SUMS = { rows: [], oldest: null, unread: 0, unsure: 0 };

const NO_ROWS: Pick<WalletList, "sums" | "movesAsOf" | "totalPages" | "unlisted" | "asOf" | "extent"> = {
  unlisted: 0,
  sums: NO_SUMS,
  movesAsOf: null,
  totalPages: 1,
  asOf: "2026-11-30T04:00:00Z",
  extent: "whole",
};

const shown = (unread: typeof UNREAD, isFiltered: boolean, told: Partial<typeof NO_ROWS> = {}) =>
  marked(
    <EmptyList page={{ ...NO_ROWS, ...told, unread }} filter={{ page: 1, asset: isFiltered ? "ETH" : undefined }} />,
  );

it("calls a list empty when the provider returned nothing or nothing matches", () => {
  expect(shown([], false)).toContain(english.wallets.emptyTitle);
  expect(shown([], true)).toContain(english.states.emptyFilter);
  expect(shown(UNREAD, true)).toContain(english.wallets.noneSoFar);
});

it("says under an empty result that addresses made just now are not listed yet", () => {
  expect(shown([], true, { unlisted: 1 })).toContain("1 address made here within the hour");
  expect(shown([], true)).not.toContain("within the hour");
});

it("never calls a list empty above records that could not be read", () => {
  expect(shown(UNREAD, false)).toBe("");
});

it("says beside an empty result that unread wallets may match", () => {
  expect(shown([], true)).not.toContain("Not the whole total");
  expect(shown([], true, { sums: { ...NO_SUMS, unread: 3 } })).toContain("Not the whole total: 3 wallets");
});

it.each([{ asOf: null }, { extent: "partial" }, { extent: "repeated" }] as const)(
  "marks totals as incomplete, also beside an empty result, with %j",
  (told) => {
    expect(shown([], true, told)).toContain("Not the whole total");
    const page = { ...NO_ROWS, ...told, unread: [] };
    expect(marked(<Sums page={page} filter={{ page: 1 }} />)).toContain("Not the whole total");
    expect(marked(<Sums page={page} filter={{ page: 1 }} />)).not.toContain(english.wallets.sums.nothing);
  },
);

const sumsOf = (assets: readonly string[], sum = "1.00") => {
  const rows = assets.map((asset) => ({ network: "ETHEREUM" as const, asset, tokenAddress: null, sum }));
  const sums = { rows, oldest: null, unread: 0, unsure: 0 };
  return marked(<Sums page={{ ...NO_ROWS, sums, unread: [] }} filter={{ page: 1 }} />);
};

it("shows the first digits of a sum, all of them at the pointer, and never breaks it", () => {
  const shownSum = sumsOf(["ETH"], "4.525560440000485561");
  expect(shownSum).toContain('title="4.525560440000485561 ETH"><span class="whitespace-nowrap">4.5255604<');
});

it("folds sums beyond the fourth", () => {
  expect(sumsOf(["A", "B", "C", "D"])).not.toContain("<details");
  const [open = "", folded = ""] = sumsOf(["A", "B", "C", "D", "E", "F"]).split("<details");
  expect(open).toContain("</span> D<");
  expect(open).not.toContain("</span> E<");
  expect(folded).toContain("Show 2 more totals");
  expect(folded).toContain("</span> F<");
});

const AGED = { sums: { ...NO_SUMS, oldest: "2026-11-30T04:00:00Z" }, movesAsOf: "2026-11-29T12:30:00Z" };

const agedSums = (told: { sums?: WalletList["sums"]; totalPages?: number }, filter: Partial<WalletFilter> = {}) => {
  const page = { ...NO_ROWS, ...AGED, ...told, unread: [] };
  return marked(<Sums page={page} filter={{ page: 1, ...filter }} />);
};

it("says how old balances and movements are, each by its oldest reading", () => {
  expect(agedSums({})).toMatch(/Oldest reading: balances .*01:00 · movements .*09:30/);
  expect(agedSums({ sums: NO_SUMS })).toMatch(/Oldest reading: movements .*09:30/);
});

it("says of a total without an amount what of its wallets is known", () => {
  expect(agedSums({ sums: NO_SUMS })).toContain("These wallets hold nothing.");
  expect(agedSums({ sums: { ...NO_SUMS, unread: 2 } })).toContain("No balance read in these wallets.");
  expect(agedSums({ sums: { ...AGED.sums, unread: 1 } })).toContain("The balances read are zero.");
});

it("says that the age of movements is the page's where other pages may be older", () => {
  expect(agedSums({ totalPages: 3 })).toMatch(/· movements on this page .*09:30/);
  expect(agedSums({ totalPages: 3 }, { moved: "week" })).toMatch(/· movements (?!on).*09:30/);
});

it("says how old the movements are that leave a filtered list empty", () => {
  expect(shown([], true, { movesAsOf: AGED.movesAsOf })).toMatch(/Oldest reading: movements .*09:30/);
  expect(shown([], false, { movesAsOf: AGED.movesAsOf })).not.toContain("Oldest reading");
});
