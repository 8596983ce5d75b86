import { NextIntlClientProvider } from "next-intl";
import { parse } from "node-html-parser";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { PaidAnswer, PaidFacts } from "@/lib/deposits/paid-view";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { PaidAnswerView } from "./paid-answer";

const FACTS: PaidFacts = {
  amount: null,
  asset: null,
  network: null,
  at: null,
  hash: null,
  explorer: null,
  reference: null,
  standing: null,
  cause: null,
  expected: null,
  difference: null,
};

const ANSWER: PaidAnswer = {
  verdict: "not-seen",
  tally: null,
  isHandler: false,
  unfound: [],
  facts: FACTS,
  isFromOwn: false,
  isFromBefore: false,
  deposits: [],
  reads: [],
  moreUnread: 0,
  calls: 1,
  asOf: "2026-11-30T12:00:00Z",
};

const WORDS = { en: english, "pt-BR": portuguese } as const;

function shown(changes: Partial<PaidAnswer>, locale: keyof typeof WORDS = "en"): string {
  const html = renderToStaticMarkup(
    <NextIntlClientProvider locale={locale} messages={WORDS[locale]} timeZone="America/Sao_Paulo">
      <PaidAnswerView asked="x" answer={{ ...ANSWER, ...changes }} isReading={false} onAgain={() => undefined} />
    </NextIntlClientProvider>,
  );
  return parse(html).structuredText.replaceAll(/\s+/g, " ");
}

const btc = (amount: string) => ({ amount, asset: "BTC", network: null });

it("says how many deposits of a reference arrived and what is still expected", () => {
  const tally = {
    reference: "pedido-20418",
    count: 4,
    isPart: false,
    sums: [btc("0.61"), { amount: "5", asset: "ETH", network: "ETHEREUM" as const }],
    expected: [btc("0.15")],
  };
  const facts = { ...FACTS, expected: { ...btc("0.15") } };
  expect(shown({ tally, facts })).toContain(
    "The 0.15 BTC expected hasn’t arrived on any network or token we know, as read just now. In all, 4 deposits of pedido-20418 have arrived: 0.61 BTC and 5 ETH (Ethereum). Still expected: 0.15 BTC.",
  );
  expect(shown({ tally: { ...tally, reference: null, count: 1, sums: [btc("1")], expected: [] } }, "pt-BR")).toContain(
    "Ao todo, 1 depósito neste endereço chegou: 1 BTC.",
  );
  expect(shown({ tally: { ...tally, isPart: true } })).toContain("In all, at least 4 deposits");
});

it.each(["other-network", "other-asset", "short", "over", "own-wallet", "no-address", "no-event", "swept"] as const)(
  "tells whoever handles deposits what to do, and others that finance does: %s",
  (verdict) => {
    expect(shown({ verdict, isHandler: true })).not.toMatch(/finance/i);
    expect(shown({ verdict })).toMatch(/finance/i);
    expect(shown({ verdict, isHandler: true }, "pt-BR")).not.toMatch(/financeiro/i);
  },
);

it("shows a transfer that left one of our wallets as what it is", () => {
  const facts = { ...FACTS, ...btc("-0.5"), network: "BITCOIN" as const, hash: "ab".repeat(32) };
  const told = shown({ verdict: "left", facts });
  expect(told).toContain("A transfer of 0.5 BTC that left one of our wallets on Bitcoin");
  expect(told).not.toContain("No deposit");
  expect(shown({ verdict: "left" })).toContain("A transfer that left one of our wallets: it isn’t a deposit.");
  expect(shown({ verdict: "own-wallet", facts })).not.toContain("No deposit");
  expect(shown({ verdict: "not-seen" })).toContain("No deposit");
});

it("says how many of the missing readings are not listed", () => {
  const read = {
    network: "TRON" as const,
    address: "T1",
    asset: null,
    state: "put-off" as const,
    asOf: null,
    until: null,
  };
  expect(shown({ reads: [read] })).toContain("1 of 1 readings are missing. They are listed below.");
  expect(shown({ reads: [read], moreUnread: 8 })).toContain("9 of 9 readings are missing. All but 8 are listed below.");
});

it("says that a deposit came from a wallet listed here", () => {
  const facts = { ...FACTS, amount: "10", asset: "USDT", network: "TRON" as const, hash: "ab".repeat(32) };
  expect(shown({ verdict: "paid", facts, isFromOwn: true })).toContain(english.paid.fromOwn);
  expect(shown({ verdict: "paid", facts })).not.toContain(english.paid.fromOwn);
});
