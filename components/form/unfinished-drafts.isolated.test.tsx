import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import english from "@/messages/en.json";
import type { Unfinished } from "@/lib/drafts/view";
import { DraftGate } from "./unfinished-drafts";

vi.mock("next/navigation", () => ({
  usePathname: () => "/onboarding/new",
  useSearchParams: () => new URLSearchParams("type=PJ&step=review"),
}));
vi.mock("@/components/live/live-refresh", () => ({ useRefresh: () => () => {} }));
vi.mock("@/components/session/use-action", () => ({
  useAction: () => ({ pending: false, failure: null, run: () => {} }),
}));

const draft = { draftId: "one", version: 1, fields: null, savedAt: null };
const save = () => Promise.resolve({ ok: true as const, data: { draft, isOther: false } });

function htmlOf(changes: Partial<Unfinished>): string {
  const unfinished = [{ draftId: "one", subject: null, step: null, savedAt: "2026-03-10T12:00:00.000Z", ...changes }];
  return renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <DraftGate form={{ unfinished, isChosen: false }} save={save}>
        {null}
      </DraftGate>
    </NextIntlClientProvider>,
  );
}

function linkOf(step: string | null): string | undefined {
  return /href="([^"]*)"/.exec(htmlOf({ step }))?.[1]?.replaceAll("&amp;", "&");
}

it("opens a draft at the step where its author left", () => {
  expect(linkOf("contact")).toBe("/onboarding/new?type=PJ&step=contact&draft=one");
  expect(linkOf(null)).toBe("/onboarding/new?type=PJ&draft=one");
});

it("writes the amount of a draft as every other amount, or as it was typed", () => {
  expect(htmlOf({ subject: "0001 / 12345", amount: "6300.00" })).toContain("0001 / 12345 · R$6,300.00<");
  expect(htmlOf({ subject: "0001 / 12345", amount: "1.00x" })).toContain("0001 / 12345 · 1.00x<");
});
