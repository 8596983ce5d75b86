import type { ComponentProps } from "react";
import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import { type CountName, Counts } from "./counts";

const fresh = { asOf: "2026-11-22T13:00:00Z", isStale: false, failure: null };
const exactly = (cases: number) => ({ cases, isExact: true });

const NOTHING = {
  cases: null,
  onboardings: null,
  transfers: null,
  heldCoins: null,
  approvals: null,
  outcomes: null,
  wallets: null,
  calls: null,
  received: null,
  staff: null,
  health: null,
};

const countsOf = (areas: Partial<ComponentProps<typeof Counts>["areas"]>, ...names: CountName[]) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <Counts names={names} areas={{ ...NOTHING, ...areas }} />
    </NextIntlClientProvider>,
  );

/** The overview with five cases to decide, and the given counts. */
function shown(underReview: number, open: number): string {
  const decided = { APPROVED: exactly(0), REPROVED: exactly(0) };
  const counts = { PENDING: exactly(5), PROCESSING: exactly(underReview), open: exactly(open), ...decided };
  const none = { due: exactly(0), "put-off": exactly(0), escalated: exactly(0) };
  const views = { mine: exactly(1), unassigned: exactly(4), all: exactly(open), ...none };
  const cases = { ...fresh, readSoFar: null, views, counts: { ...counts, all: exactly(open) } };
  return countsOf({ cases }, "toDecide", "held");
}

it("counts a case with an unknown provider status without saying none is in review", () => {
  expect(shown(0, 5)).toContain("No cases under review");
  expect(shown(2, 7)).toContain("2 cases under review at the provider<");
  expect(shown(2, 8)).toContain("2 cases under review at the provider · 1 case in a status only");
  expect(shown(0, 7)).toContain("2 cases in statuses only the provider knows");
  expect(shown(0, 7)).not.toContain("No cases under review");
});

it("omits counts that were not read or belong to another role's home", () => {
  const html = shown(0, 5);
  expect(html).not.toContain("Held transfers");
  expect(html).not.toContain("My KYC cases");
});

it("counts what is held in reais and in coins apart, each beside its list", () => {
  const none = { all: 0, waiting: 0, unanswered: 0, confirmed: 0, returned: 0, unpaid: 0 };
  const coins = { all: 12, waiting: 0, open: 12, done: 0, apart: 0 };
  const html = countsOf(
    { transfers: { counts: { ...none, held: 0 } }, heldCoins: { counts: coins } },
    "held",
    "heldCoins",
  );
  expect(html).toMatch(/href="\/transfers\?view=held".*Held transfers in reais.*>0<.*None under review/);
  expect(html).toMatch(/href="\/coins\?view=open&amp;state=HELD".*Held crypto transfers.*>12<.*don’t send again/);
});

const outcomes = (heldReais: number) =>
  countsOf({ outcomes: { rows: [], isWhole: true, underWay: { sending: 0, heldReais, heldCoins: 0 } } }, "outcomes");

it("says of whose sending all is confirmed, and not while some is under way", () => {
  expect(outcomes(0)).toContain("Of what you can send, everything sent has a confirmed outcome");
  expect(outcomes(1)).toContain("is still under way");
  expect(outcomes(1)).not.toContain("everything sent");
});

it('says "at least" when a count is known only in part', () => {
  const counts = { ERROR: 9, open: 13, CONFIRMED: 0, all: 22 };
  const html = (asOf: string | null) => countsOf({ onboardings: { ...fresh, asOf, counts } }, "refused");
  expect(html(null)).toContain("9+");
  expect(html(null)).toContain("13+ onboardings in progress");
  expect(html(fresh.asOf)).toContain("13 onboardings in progress");
});

function tileOf(needsAttention: number, count: number): string {
  const none = { unsigned: 0, signature: 0, unreadable: 0, "too-large": 0, "too-slow": 0, cut: 0, "no-room": 0 };
  const refused = { ...none, signature: count, count, lastAt: count === 0 ? null : fresh.asOf };
  return countsOf(
    { received: { counts: { all: 9, waiting: 0, "needs-attention": needsAttention }, refused } },
    "needsAttention",
  );
}

it("links to the webhooks screen only when deliveries were rejected", () => {
  expect(tileOf(0, 2)).toMatch(/href="\/webhooks"[^>]*>2 deliveries rejected in the last day</);
  expect(tileOf(0, 2)).not.toMatch(/text-warning[^>]*>0</);
  expect(tileOf(1, 0)).toMatch(/text-warning[^>]*>1</);
  expect(tileOf(1, 0)).not.toContain('href="/webhooks"');
});

const watchOf = (verdict: "well" | "late") => ({
  name: "health",
  intervalMs: 30_000,
  begunAt: fresh.asOf,
  asOf: fresh.asOf,
  runsSince: fresh.asOf,
  failure: null,
  asks: false,
  verdict,
  lagMs: 0,
  nextAt: null,
});

it("counts open incidents, and none only while somebody looks for them", () => {
  const html = (openedAt: string[], ...watches: ReturnType<typeof watchOf>[]) =>
    countsOf({ health: { open: openedAt.map((at) => ({ openedAt: at })), judged: { watches } } }, "incidents");
  expect(html(["2026-11-22T13:20:00Z", "2026-11-22T12:50:00Z"])).toMatch(
    /href="\/health".*>2<.*since 22 Nov 2026 09:50/,
  );
  expect(html([], watchOf("well"))).toMatch(/>0<.*None open/);
  expect(html([], watchOf("late"))).toMatch(/>—<.*The check that finds them is late/);
  expect(html([])).toMatch(/>—<.*Not updated yet|>—<.*Not read yet/);
});
