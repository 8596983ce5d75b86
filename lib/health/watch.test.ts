import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:tls";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { auditHeadsWatch } from "@/lib/audit-trail/watch";
import { record } from "@/lib/audit/record";
import { mailsWatch } from "@/lib/boot/mail-watch";
import type { Db } from "@/lib/db/connection";
import type { IncidentKind } from "@/lib/db/enums/health";
import { healthIncident } from "@/lib/db/tables/health";
import { mailNotice } from "@/lib/db/tables/mail";
import { breakLinks } from "@/lib/text/safe-link";
import { civilDaysAgo, DAY_MS, MINUTE_MS } from "@/lib/text/time";
import type { FindingKind } from "@/lib/db/enums/provider";
import { providerCall, providerFinding, providerIntent } from "@/lib/db/tables/provider";
import { watchState } from "@/lib/db/tables/watch";
import { planWatches, remember } from "@/lib/db/watch-state";
import { log } from "@/lib/log/log";
import { saveMailLocale } from "@/lib/mail/outbox";
import { takeFromBudget } from "@/lib/provider/budget";
import { TOKEN_PATH } from "@/lib/provider/token-request";
import { certify } from "@/service/webhooks/test-certificates";
import { tamper } from "@/test/support/audit";
import { givenIntentRows } from "@/test/support/claims";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { bodyOf, decodedHeaders, startMailServer } from "@/test/support/mail";
import { createProbe } from "./database";
import { healthWatch } from "./watch";

const TENANT = "aurora";

let db: Db;
let server: Awaited<ReturnType<typeof startMailServer>>;
let settings: Parameters<typeof givenEnv>[0];

beforeEach(async () => {
  vi.spyOn(log, "info").mockImplementation(() => undefined);
  globalThis.retaguardaBanks = new Map();
  globalThis.retaguardaBudgets = new Map();
  globalThis.retaguardaDatabaseProbe = undefined;
  server = await startMailServer();
  settings = { mail: server.settings, auditHeadsDir: mkdtempSync(join(tmpdir(), "heads-")), callsPerMinute: 10 };
  givenEnv(settings);
  db = await givenStore();
  await saveMailLocale(await givenStaff(db, "admin"), "en");
  await givenStaff(db, "auditor", "support");
  await runs("kyc", "health");
});
afterEach(async () => {
  globalThis.retaguardaBanks = undefined;
  globalThis.retaguardaBudgets = undefined;
  globalThis.retaguardaDatabaseProbe = undefined;
  await server.close();
});

/** These watches run, and swept just now. */
async function runs(...names: string[]): Promise<void> {
  await planWatches(
    db,
    TENANT,
    names.map((name) => ({ name, intervalMs: 30_000 })),
  );
  await db.update(watchState).set({ begunAt: sql`clock_timestamp()`, asOf: sql`clock_timestamp()` });
}

const agoOf = (ms: number) => new Date(Date.now() - ms);
const sweep = () => healthWatch.sweep(TENANT);
const mail = () => mailsWatch.sweep(TENANT);
const subjects = () => server.received.map(({ data }) => decodedHeaders(data).subject);
const calmPasses = () =>
  db.update(healthIncident).set({ wellSince: sql`${healthIncident.wellSince} - interval '6 minutes'` });

const call = (ms: number, changes: Partial<typeof providerCall.$inferInsert>): typeof providerCall.$inferInsert => ({
  tenant: TENANT,
  at: agoOf(ms),
  requestId: randomUUID(),
  method: "GET",
  path: "/v1/kyc/list",
  status: 200,
  kind: "ok",
  durationMs: 1,
  waitedMs: 0,
  lane: "watchers",
  attempt: 1,
  actor: "watch:kyc",
  ...changes,
});

type Told = { says: string; begin: () => Promise<unknown>; end: () => Promise<unknown> };

const silent = { status: null, kind: "unavailable" } as const;
const answered = () => db.insert(providerCall).values(call(0, {}));

/** Signed first, for rows of an hour ago that nobody signed would be another incident. */
async function quarterPasses(): Promise<void> {
  await auditHeadsWatch.sweep(TENANT);
  await tamper(db, `update audit_event set at = at - interval '1 hour' where code = 'webhooks.refuse'`);
}

/** A server that shows a certificate which ends after so many days. */
async function givenAddress(days: number) {
  const shown = createServer(certify({ hosts: ["localhost"], notAfter: new Date(Date.now() + days * DAY_MS) }));
  await new Promise<void>((resolve) => shown.listen(0, "localhost", resolve));
  const address = shown.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  givenEnv({ ...settings, publicUrl: new URL(`https://localhost:${port}`) });
  return () => new Promise<void>((resolve) => shown.close(() => resolve()));
}

let closeAddress = () => Promise.resolve();
afterEach(() => closeAddress());

const intentId = randomUUID();

const LIST = "GET /v1/kyc/list";

/** Counted of one operation on a day; answers without differences are counted as `ANSWERED`. */
const finding = (daysAgo: number, is: FindingKind, answers: number): typeof providerFinding.$inferInsert => ({
  tenant: TENANT,
  day: civilDaysAgo(daysAgo),
  operation: LIST,
  is,
  field: is === "MISSING" ? "limit" : "",
  found: "",
  documented: "",
  answers,
  firstAt: new Date(),
  lastAt: new Date(),
});

type Watched = Exclude<IncidentKind, "events-lost" | "answers-changed" | "review-late">;

const TOLD: Readonly<Record<Watched, Told>> = {
  "provider-silent": {
    says: "No valid answer from the provider",
    begin: () => db.insert(providerCall).values([6, 5, 4].map((minutes) => call(minutes * MINUTE_MS, silent))),
    end: answered,
  },
  "token-refused": {
    says: "The provider grants no access token",
    begin: () =>
      db
        .insert(providerCall)
        .values(
          [6, 1].map((minutes) =>
            call(minutes * MINUTE_MS, { path: TOKEN_PATH, status: 401, kind: "forbidden", code: "token-refused" }),
          ),
        ),
    end: () => db.insert(providerCall).values(call(0, { path: TOKEN_PATH })),
  },
  "budget-spent": {
    says: "The call allowance is used up",
    async begin() {
      const budget = { store: async () => db, origin: "https://bank.example", limit: 10 };
      await takeFromBudget(budget, { money: 10, people: 0, watchers: 0 });
      await takeFromBudget(budget, { money: 0, people: 10, watchers: 0 });
      await takeFromBudget(budget, { money: 0, people: 0, watchers: 10 });
      await remember(db, { tenant: TENANT, name: "health" }, { fullSince: agoOf(11 * MINUTE_MS).toISOString() });
    },
    end: () => db.execute(sql`delete from bank_budget`),
  },
  "watch-stalled": {
    says: "A system check stands still: KYC queue",
    begin: () =>
      db
        .update(watchState)
        .set({ asOf: agoOf(20 * MINUTE_MS), runsSince: agoOf(DAY_MS) })
        .where(eq(watchState.name, "kyc")),
    end: () => runs("kyc", "health"),
  },
  "audit-head-old": {
    says: "The audit trail isn’t being signed",
    async begin() {
      await record(db, { tenant: TENANT, actor: "command", code: "audit.verify", outcome: "DONE" });
      await tamper(db, `update audit_event set at = at - interval '11 minutes'`);
    },
    end: () => auditHeadsWatch.sweep(TENANT),
  },
  "signatures-wrong": {
    says: "Webhooks arrive with a wrong signature",
    begin: () =>
      record(db, {
        tenant: TENANT,
        actor: "watch:webhooks",
        code: "webhooks.refuse",
        outcome: "REFUSED",
        detail: { signature: 19, unsigned: 5, lastAt: new Date().toISOString() },
      }).then(() =>
        record(db, {
          tenant: TENANT,
          actor: "watch:webhooks",
          code: "webhooks.refuse",
          outcome: "REFUSED",
          detail: { signature: 1, lastAt: new Date().toISOString() },
        }),
      ),
    end: quarterPasses,
  },
  "writes-unknown": {
    says: "Writes stay without an answer",
    begin: () =>
      givenIntentRows(db, {
        tenant: TENANT,
        id: intentId,
        key: randomUUID(),
        operation: "/v1/bank-accounts/generateInternalTransferRequest",
        object: "account:1",
        isExclusive: false,
        actor: randomUUID(),
        bodyHash: "x",
        state: "UNKNOWN",
        attempts: 1,
        mayHaveExecuted: true,
        owner: randomUUID(),
        sendingUntil: agoOf(31 * MINUTE_MS),
        createdAt: agoOf(32 * MINUTE_MS),
        firstSentAt: agoOf(31 * MINUTE_MS),
      }),
    end: () => db.update(providerIntent).set({ state: "DONE" }),
  },
  "certificate-ends": {
    says: "The certificate of our address is about to end",
    async begin() {
      closeAddress = await givenAddress(10);
    },
    async end() {
      await closeAddress();
      closeAddress = await givenAddress(90);
      const seen = sql`jsonb_set(memory, '{certificate,lookedAt}', '"2026-01-01T00:00:00.000Z"')`;
      await db.update(watchState).set({ memory: seen }).where(eq(watchState.name, "health"));
    },
  },
  "database-silent": {
    says: "The database is slow or doesn’t answer",
    async begin() {
      let nowMs = Date.now() - 10 * MINUTE_MS;
      let isOpen = false;
      const probe = createProbe(
        async () => isOpen,
        () => new Date(nowMs),
      );
      globalThis.retaguardaDatabaseProbe = probe;
      await probe.look();
      nowMs += 3 * MINUTE_MS;
      isOpen = true;
      await probe.look();
    },
    end: () => Promise.resolve(),
  },
};

const kinds = Object.entries(TOLD).map(([kind, told]) => ({ kind, ...told }));

describe("an incident", () => {
  it("mails administrators of answers that changed, and once they are as before", async () => {
    await db
      .insert(providerFinding)
      .values([finding(1, "ANSWERED", 50), finding(0, "ANSWERED", 20), finding(0, "MISSING", 20)]);
    await sweep();
    await sweep();
    await mail();
    await db.delete(providerFinding).where(eq(providerFinding.is, "MISSING"));
    await sweep();
    await mail();
    const says = breakLinks(`The provider’s answers changed: ${LIST}`);
    expect(subjects()).toEqual([`Incident: ${says}`, `Well again: ${says}`]);
  });

  it.each(kinds)("mails administrators of $kind once, and once when well again", async ({ says, kind, begin, end }) => {
    await begin();
    await sweep();
    await mail();
    expect(subjects()).toEqual([`Incident: ${says}`]);
    expect(bodyOf(server.received[0] ?? { data: "" })).toContain("http");
    await sweep();
    await mail();
    expect(server.received).toHaveLength(1);

    await end();
    await sweep();
    await mail();
    expect(server.received).toHaveLength(1);
    await calmPasses();
    await sweep();
    await mail();
    await sweep();
    await mail();
    expect(subjects()).toEqual([`Incident: ${says}`, `Well again: ${says}`]);
    expect(await db.select().from(healthIncident)).toMatchObject([{ kind, endedAt: expect.any(Date) }]);
  });

  it("gives one mail to an administrator when ten find it at once", async () => {
    await TOLD["provider-silent"].begin();
    await Promise.all(Array.from({ length: 10 }, sweep));
    await Promise.all(Array.from({ length: 10 }, mail));
    expect(server.received).toHaveLength(1);
    await answered();
    await sweep();
    await calmPasses();
    await Promise.all(Array.from({ length: 10 }, sweep));
    await Promise.all(Array.from({ length: 10 }, mail));
    expect(server.received).toHaveLength(2);
    expect(await db.$count(healthIncident)).toBe(1);
  });

  it("tells of several in one mail at once, and of a later one without waiting", async () => {
    await TOLD["provider-silent"].begin();
    await TOLD["writes-unknown"].begin();
    await sweep();
    await mail();
    expect(subjects()).toEqual(["2 incidents"]);
    expect(bodyOf(server.received[0] ?? { data: "" })).toMatch(/answer, since \d\d \w{3} \d{4} \d\d:\d\d/);
    await TOLD["watch-stalled"].begin();
    await sweep();
    await mail();
    expect(subjects()).toEqual(["2 incidents", "Incident: A system check stands still: KYC queue"]);
  });

  it("mails nobody of a fault that comes and goes within its bound", async () => {
    await db.insert(providerCall).values([4, 3, 2].map((minutes) => call(minutes * MINUTE_MS, silent)));
    await sweep();
    await answered();
    await sweep();
    await mail();
    expect(server.received).toEqual([]);
    expect(await db.$count(healthIncident)).toBe(0);
  });

  it("stays one incident when the fault comes back before all was calm", async () => {
    const { begin } = TOLD["provider-silent"];
    await begin();
    await sweep();
    await answered();
    await sweep();
    await db.delete(providerCall);
    await begin();
    await sweep();
    await calmPasses();
    await sweep();
    await mail();
    expect(await db.select().from(healthIncident)).toMatchObject([{ endedAt: null, wellSince: null }]);
    expect(server.received).toHaveLength(1);
  });

  it("writes in the administrator's language, to nobody who may do nothing about it", async () => {
    await db.execute(sql`update mail_settings set locale = 'pt-BR'`);
    await TOLD["watch-stalled"].begin();
    await sweep();
    await mail();
    const [mailed] = server.received;
    expect(server.received).toHaveLength(1);
    expect(mailed?.to).toHaveLength(1);
    expect(bodyOf(mailed ?? { data: "" })).toMatch(/parada: fila de KYC, desde \d\d\/\d\d\/\d{4} \d\d:\d\d/);
  });

  it("stands without a mail server, too", async () => {
    givenEnv({ ...settings, mail: null });
    await TOLD["writes-unknown"].begin();
    await sweep();
    expect(await db.$count(healthIncident)).toBe(1);
    expect(await db.$count(mailNotice)).toBe(0);
  });

  it("says nothing of other watches in the first sweep after a pause of its own", async () => {
    await TOLD["watch-stalled"].begin();
    await db
      .update(watchState)
      .set({ asOf: agoOf(DAY_MS) })
      .where(eq(watchState.name, "health"));
    await sweep();
    expect(await db.$count(healthIncident)).toBe(0);
    await db
      .update(watchState)
      .set({ asOf: agoOf(0) })
      .where(eq(watchState.name, "health"));
    await sweep();
    expect(await db.$count(healthIncident)).toBe(1);
  });
});
