import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { judge } from "@/lib/health/verdict";
import type { Health, HealthReading } from "@/lib/health/view";
import english from "@/messages/en.json";
import { HealthReport } from "./health-report";

const AT = "2026-11-29T12:00:00.000Z";

const READING: HealthReading = {
  at: AT,
  watches: [],
  provider: { answeredAt: null, silentSince: null, unanswered: 0 },
  token: { grantedAt: null, failingSince: null, code: null },
  budget: { used: 0, limit: 180, configured: 180, pausedUntil: null, fullSince: null },
  database: { kind: "embedded", answeredInMs: 2, slowSince: null, silence: null },
  writes: { open: 0, oldestAt: null },
  auditHead: { signedAt: null, unsigned: 0, unsignedSince: null },
  deliveries: { wrong: 0, withinMs: 900_000, wrongSince: null, refused: 0 },
  certificate: null,
};

function shown(changes: Partial<HealthReading>, given: Partial<Health> = {}): string {
  const reading = { ...READING, ...changes };
  const health = {
    reading,
    judged: judge(reading),
    silentLanes: [],
    open: [],
    past: [],
    hasMailServer: true,
    calmMs: 5 * 60_000,
    silenceMs: 5 * 60_000,
    ...given,
  };
  return renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <HealthReport health={health} />
    </NextIntlClientProvider>,
  );
}

const watch = (asOf: string | null) => ({
  name: "health",
  intervalMs: 30_000,
  begunAt: asOf,
  asOf,
  runsSince: "2026-11-28T12:00:00.000Z",
  failure: null,
  asks: false,
});

const incident = { id: "1", kind: "watch-stalled", subject: "kyc", openedAt: AT, endedAt: null } as const;

it("says when an open incident closes, and since when all is well again", () => {
  const well = { mailed: 1, mailedEnd: 0, waiting: 0, wellSince: "2026-11-29T12:10:00.000Z" };
  const html = shown({}, { open: [{ ...incident, ...well }] });
  expect(html).toContain("An incident closes once all has been well for 5 minutes.");
  expect(html).toContain("Well again since");
});

it("says of a new console only what is known", () => {
  const html = shown({});
  for (const said of [
    "No call in the last 24 hours",
    "Not signed yet",
    "No system check has started yet",
    "None in the last 30 days.",
  ])
    expect(html).toContain(said);
  expect(html).not.toContain("nobody is told");
});

it("warns when the check that tells people is late itself", () => {
  expect(shown({ watches: [watch(AT)] })).not.toContain("nobody is told");
  expect(shown({ watches: [watch("2026-11-29T11:50:00.000Z")] })).toContain("nobody is told");
});

const toldOf = (mailed: number, waiting: number, hasMailServer = true) =>
  shown({}, { open: [{ ...incident, wellSince: null, mailed, mailedEnd: 0, waiting }], hasMailServer });

it("says of an incident's mail what is known of it", () => {
  expect(toldOf(0, 0)).toContain("A system check stands still: KYC queue");
  expect(toldOf(0, 0)).toContain("Nobody was told");
  expect(toldOf(0, 0, false)).toContain("No mail server is set up");
  expect(toldOf(0, 2)).toContain("Waiting to be sent");
  expect(toldOf(2, 0)).toContain("Sent to 2 administrators");
});

it("says who is told of an incident, and when a silence is one", () => {
  const told = "Administrators who didn’t turn these e-mails off get one";
  expect(shown({})).toContain(told);
  expect(shown({})).toContain("A silent provider is an incident after 5 minutes.");
  expect(shown({}, { hasMailServer: false })).not.toContain(told);
  expect(shown({}, { hasMailServer: false })).toContain("No mail server is set up");
});
