import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { SilentNotice } from "@/app/(console)/overview/silent-notice";
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
};

function Reason({ standing }: { standing: ProviderStanding }) {
  return useReason(standing);
}

const told = (standing: ProviderStanding) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <Reason standing={standing} />
      <hr />
      {standing.silentSince === null ? null : <SilentNotice since={standing.silentSince} />}
    </NextIntlClientProvider>,
  ).split("<hr/>");

it("says since when the provider is silent, as the overview does", () => {
  const [meter = "", overview = ""] = told({ ...CALM, silentSince: "2026-11-28T23:05:28.000Z" });
  const since = /hasn’t answered since [^.]+\./;
  expect(since.exec(meter)?.[0]).toBe(since.exec(overview)?.[0]);
  expect(meter).toContain("20:05");
});

it("shows nothing while the provider answers", () => {
  expect(told(CALM)[0]).toBe("");
});

const barOf = (standing: ProviderStanding) =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
        <SilenceBar initial={standing} />
      </NextIntlClientProvider>
    </QueryClientProvider>,
  );

it("tells narrow windows of a silence, and of nothing else", () => {
  expect(barOf({ ...CALM, silentSince: "2026-11-28T23:05:28.000Z" })).toContain("hasn’t answered since");
  expect(barOf({ ...CALM, silentLanes: ["people"] })).toContain("isn’t answering");
  expect(barOf({ ...CALM, limit: 90 })).toBe("");
});
