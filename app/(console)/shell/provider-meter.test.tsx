import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { ProviderStanding } from "@/lib/calls/queries";
import english from "@/messages/en.json";
import { SilenceBar, useReason } from "./provider-meter";

const lanes = { money: 0, people: 0, watchers: 0 };
const CALM: ProviderStanding = {
  limit: 180,
  configured: 180,
  used: 10,
  byLane: lanes,
  waiting: lanes,
  pausedUntil: null,
  silentLanes: [],
  silentSince: null,
  told: null,
  isDemoBeingMade: false,
};

function Reason({ standing }: { standing: ProviderStanding }) {
  return useReason(standing);
}

const told = (standing: ProviderStanding) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <Reason standing={standing} />
    </NextIntlClientProvider>,
  );

it("shows nothing while the provider answers", () => {
  expect(told(CALM)).toBe("");
});

const barOf = (standing: ProviderStanding) =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
        <SilenceBar initial={standing} />
      </NextIntlClientProvider>
    </QueryClientProvider>,
  );

it("tells every screen of a silence and since when, and of nothing else", () => {
  expect(barOf({ ...CALM, silentSince: "2026-11-28T23:05:28.000Z" })).toContain(
    "no valid answer from the provider since 28 Nov 2026 20:05. We retry every few seconds. What is shown was read before.",
  );
  expect(barOf({ ...CALM, silentLanes: ["people"] })).toContain("is unavailable. We retry");
  expect(barOf({ ...CALM, limit: 90 })).toBe("");
});

it.each([
  [{ as: "later", minutes: 5 } as const, "If it lasts 5 minutes, administrators are told by e-mail."],
  [{ as: "sent", count: 2 } as const, "2 administrators were told by e-mail."],
  [{ as: "waiting" } as const, "hasn’t left yet"],
  [{ as: "none" } as const, "No administrator was told"],
  [{ as: "off" } as const, "nobody is told by e-mail"],
])("says beside a silence who is told of it: %j", (whoIsTold, said) => {
  expect(barOf({ ...CALM, silentSince: "2026-11-28T23:05:28.000Z", told: whoIsTold })).toContain(said);
});
