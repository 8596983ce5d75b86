import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import portuguese from "@/messages/pt-BR.json";
import { CallTable } from "./call-row";

const call = {
  seq: 1,
  requestId: "r-1",
  providerRequestId: null,
  code: null,
  at: "2026-11-22T13:00:00.000Z",
  method: "GET",
  path: "/v1/kyc",
  status: 200,
  kind: "ok",
  durationMs: 12,
  waitedMs: 0,
  attempt: 1,
  lane: "watchers",
  object: null,
  byName: null,
} as const;

it.each([
  ["watch:webhooks", "Sistema: eventos recebidos"],
  ["watch:movements", "Sistema: movimentações"],
])("wraps the caller's name and shows all of it on hover: %s", (actor, name) => {
  const markup = renderToStaticMarkup(
    <NextIntlClientProvider locale="pt-BR" messages={portuguese} timeZone="America/Sao_Paulo">
      <CallTable calls={[{ ...call, actor }]} names={{}} hasDays={false} open={new Set()} toggle={() => {}} />
    </NextIntlClientProvider>,
  );
  expect(markup).toMatch(new RegExp(`title="${name}" class="[^"]*\\bwraps\\b[^"]*">${name}</td>`));
});
