import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import type { SendHints } from "@/lib/wallets/view";
import { SendFacts, SendHints as Review } from "./send-hints";

const HINTS: SendHints = {
  balance: "900",
  asOf: "2026-07-01T12:00:00.000Z",
  left: null,
  held: null,
  rest: "890",
  fee: { coin: "ETH", balance: "1.82064015" },
  isAll: false,
  isOfToken: true,
  hasReserve: false,
  waiting: null,
};

const shown = (hints: SendHints) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <SendFacts hints={hints} asset="USDT" now="2026-07-01T12:03:00.000Z" />
    </NextIntlClientProvider>,
  );

it("names the network's coin for the fee without stating an amount", () => {
  expect(shown(HINTS)).toMatch(/Balance for the network fee<\/dt><dd[^>]*>1\.82064015 ETH/);
  expect(shown({ ...HINTS, isOfToken: false })).toContain("The provider tells no fee before it sends.");
});

const reviewed = (hints: SendHints) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <Review hints={hints} asset="USDT" />
    </NextIntlClientProvider>,
  );

it.each([
  ["a token with none of the coin", { fee: { coin: "BNB", balance: "0.00" } }, "feeNone"],
  ["all there is of the coin", { isOfToken: false, isAll: true, fee: { coin: "BNB", balance: "1" } }, "all"],
  ["a token with some of the coin", { fee: { coin: "BNB", balance: "0.00000001" } }, null],
  ["a token whose coin is not told", { fee: { coin: "BNB", balance: null } }, null],
] as const)("warns in review and request about a balance too low for the fee: %s", (_, changes, warning) => {
  const warnings = (["feeNone", "all"] as const).map((name) => [
    name,
    english.sendHints[name].replaceAll("{coin}", "BNB"),
  ]);
  for (const html of [shown({ ...HINTS, ...changes }), reviewed({ ...HINTS, ...changes })])
    expect(warnings.filter(([, text = ""]) => html.includes(text)).map(([name]) => name)).toEqual(
      warning === null ? [] : [warning],
    );
});

it("takes off what was sent since the reading, and says what is held apart", () => {
  const since = { ...HINTS, left: { sum: "895", count: 2, remains: "5" }, held: { sum: "12", count: 1 }, rest: "-5" };
  for (const html of [shown(since), reviewed(since)]) {
    expect(html).toContain("895 USDT");
    expect(html).toContain("What is left of the balance, 5 USDT, is 5 USDT less than this transfer.");
    expect(html).toContain("12 USDT");
  }
  expect(shown(HINTS) + reviewed(HINTS)).not.toContain("since");
});

it("says one thing of what the fee is paid from", () => {
  const ofCoin = { ...HINTS, isOfToken: false, fee: { coin: "BNB", balance: "1" } };
  const fee = english.sendHints.fee.replaceAll("{coin}", "BNB");
  expect(reviewed(ofCoin)).toContain(fee);
  expect(reviewed({ ...ofCoin, isAll: true })).not.toContain(fee);
  expect(fee).toContain("from the same BNB balance");
});

it("warns in review and request that all requests together are more than there is", () => {
  const waiting = { sum: "895", count: 1, short: "5" };
  const says = "but not also for the other one that waits: 5 USDT short.";
  for (const of of [shown, reviewed]) {
    expect(of({ ...HINTS, waiting })).toContain(says);
    expect(of({ ...HINTS, waiting: { ...waiting, short: null } })).not.toContain("but not also");
    expect(of({ ...HINTS, rest: "-1", waiting })).not.toContain("but not also");
  }
  expect(reviewed({ ...HINTS, waiting })).toContain("895 USDT more waits for this wallet, in 1 request.");
});
