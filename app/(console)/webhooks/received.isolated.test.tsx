import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { NextIntlClientProvider } from "next-intl";
import type { ReactNode } from "react";
import { parse } from "node-html-parser";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import type { Locale } from "@/lib/text/format";
import type { RecentlyRefused } from "@/lib/webhooks/queries";
import { Received, RefusedNotice } from "./received";

vi.mock("next/navigation", () => ({
  useRouter: () => ({}),
  usePathname: () => "/webhooks",
  useSearchParams: () => new URLSearchParams(),
}));

const MESSAGES = { en: english, "pt-BR": portuguese };
const NONE = { unsigned: 0, signature: 0, unreadable: 0, "too-large": 0, "too-slow": 0, cut: 0, "no-room": 0 };
const refused = { ...NONE, signature: 2, count: 2, lastAt: "2026-11-28T20:59:40.000Z" };

const drawn = (locale: Locale, node: ReactNode) =>
  parse(
    renderToStaticMarkup(
      <NextIntlClientProvider locale={locale} messages={MESSAGES[locale]} timeZone="America/Sao_Paulo">
        <QueryClientProvider client={new QueryClient()}>{node}</QueryClientProvider>
      </NextIntlClientProvider>,
    ),
  ).text;

it("names each cause of refused deliveries with its count", () => {
  const both = { ...refused, unreadable: 1, count: 3 };
  expect(drawn("en", <RefusedNotice refused={both} />)).toContain(
    "3 deliveries rejected in the last 24 hours, the latest at 17:59:40: 2 with an invalid signature, 1 with unreadable content. If those",
  );
  expect(drawn("pt-BR", <RefusedNotice refused={refused} />)).toContain("às 17:59:40: 2 com assinatura inválida. Se");
});

it("advises on each cause separately and once", () => {
  const { refusedAdvice } = english.received;
  const text = drawn(
    "en",
    <RefusedNotice refused={{ ...NONE, "too-slow": 1, cut: 2, unsigned: 3, count: 6, lastAt: refused.lastAt }} />,
  );
  expect(text).toContain("3 without a signature, 1 too slow, 2 cut short.");
  expect(text.split(refusedAdvice.broken)).toHaveLength(2);
  expect(text).toContain(refusedAdvice.unsigned);
  expect(text).not.toContain(refusedAdvice.signature);
});

it("does not suggest checking the secret when every signature was valid", () => {
  const unreadable = { ...refused, signature: 0, unreadable: 2 };
  const text = drawn("en", <RefusedNotice refused={unreadable} />);
  expect(text).not.toContain(english.received.refusedAdvice.signature);
  expect(text).toContain(english.received.refusedAdvice.unreadable);
});

it("says that a search without results leaves out refused deliveries", () => {
  const rest = {
    older: null,
    newer: null,
    counts: { all: 0, waiting: 0, "needs-attention": 0 },
    searched: null,
    replaying: 0,
    isStale: false,
    failure: null,
  } as const;
  const found = (locale: Locale, of: RecentlyRefused) => {
    const initial = { ...rest, rows: [], refused: of, asOf: "2026-11-28T21:00:00.000Z" };
    return drawn(
      locale,
      <Received
        initial={initial}
        filter={{ view: "all", search: "evt-9" }}
        saved={[]}
        csv={null}
        seesWallets={false}
        replayDenial={null}
      />,
    );
  };
  expect(found("en", refused)).toContain(
    "in the last 30 days. Rejected ones aren’t listed here: there were 2 in the last 24 hours, the latest at 17:59:40.",
  );
  expect(found("pt-BR", refused)).toContain("houve 2 nas últimas 24 horas, a última às 17:59:40.");
  expect(found("en", { ...NONE, count: 0, lastAt: null })).toContain("there were none in the");
});
