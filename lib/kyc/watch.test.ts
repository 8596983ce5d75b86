import { randomUUID } from "node:crypto";
import { and, desc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { providerIntent } from "@/lib/db/tables/provider";
import { liveEvent } from "@/lib/db/tables/live";
import { watchState } from "@/lib/db/tables/watch";
import { kycCase, kycDecision, kycEvent } from "@/lib/db/tables/kyc";
import { auditEvent } from "@/lib/db/tables/audit";
import { seal } from "@/lib/db/seal";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { sweepOnce } from "@/lib/watch/watch";
import type { Harness } from "@/test/support/service/harness";
import { readUnreadCases } from "./sweep";
import { startKyc } from "@/test/support/kyc";
import { decisionWatch } from "./watch";
import { areaWatch } from "@/lib/boot/area-watches";
import { freshness } from "@/lib/db/watch-state";
import { givenIntentRows } from "@/test/support/claims";

const kycWatch = areaWatch("kyc:read");

let db: Db;
let service: Harness;
/** The requested pages of the list. */
let asked: string[] = [];
/** Replaces the provider's list. */
let listed: readonly unknown[] | null = null;
const isList = (request: Request) => new URL(request.url).pathname === "/v1/kyc/list";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  asked = [];
  listed = null;
  service = await givenService(
    (request) => {
      const { searchParams } = new URL(request.url);
      if (isList(request)) asked.push(searchParams.get("kycUUID") ?? searchParams.get("page") ?? "1");
    },
    (serve) => (request) =>
      listed === null || !isList(request) ? serve(request) : Response.json({ page: 1, limit: 20, result: listed }),
  );
});

const queue = async () =>
  (await db.select().from(kycCase).orderBy(desc(kycCase.seq))).map(({ kycUUID, status }) => `${kycUUID} ${status}`);

const told = async () => (await db.select().from(liveEvent).orderBy(liveEvent.id)).map(({ object }) => object);

async function startMany(count: number): Promise<string[]> {
  const started: string[] = [];
  for (let n = 0; n < count; n += 1) started.push(await startKyc(service));
  return started;
}

describe("the KYC watch", () => {
  it("reads every page of the provider's list, in its order", async () => {
    const started = await startMany(45);
    await sweepOnce(kycWatch, "aurora");
    expect(await queue()).toEqual(started.toReversed().map((id) => `${id} PROCESSING`));
  });

  it("keeps cases beside a record without an id, and shows an unknown status", async () => {
    const check = { kycUUID: "k-1", process: "kyc-backgroundcheck", status: "APPROVED", kycType: "PF", vatNumber: 7 };
    const scopy = { ...check, process: "kyc-documentscopy", status: { codigo: 3 }, vatNumber: {}, webviewUrls: "none" };
    listed = [{ vatNumber: "529.982.247-25" }, check, scopy, null, { ...check, kycUUID: "k-2" }];
    await sweepOnce(kycWatch, "aurora");
    expect(await queue()).toEqual(['k-1 unknown:{"codigo":3}', "k-2 APPROVED"]);
    expect(await readUnreadCases("aurora")).toHaveLength(2);
    expect(await freshness("aurora", "kyc")).toMatchObject({ failure: null });
  });

  it("keeps the verification link out of events, notices, audit rows and URLs", async () => {
    const link = "https://verifica.example/w/canary-5521";
    const one = { process: "kyc-backgroundcheck", status: "PENDING", kycType: "PF", vatNumber: "***.982.247-**" };
    listed = [
      { ...one, kycUUID: "k-1", webviewUrl: link },
      { ...one, kycUUID: "k-2", webviewUrls: [{ vatNumber: "***.982.247-**", url: link }] },
      { ...one, webviewUrl: link },
    ];
    await sweepOnce(kycWatch, "aurora");
    listed = [{ ...one, kycUUID: "k-1", status: "APPROVED", webviewUrl: link }, ...listed.slice(1)];
    await sweepOnce(kycWatch, "aurora");
    expect(JSON.stringify(await db.select().from(kycCase))).toContain("canary-5521");
    const stored = [auditEvent, liveEvent, kycEvent, watchState].map((table) => db.select().from(table));
    expect(JSON.stringify([asked, await Promise.all(stored)])).not.toContain("canary-5521");
  });

  it("makes two calls a round when nothing is new: newest page and one further back", async () => {
    const started = await startMany(45);
    for (const id of started) await service.control("POST", `/sandbox/kyc/${id}`, { status: "APPROVED" });
    await sweepOnce(kycWatch, "aurora");
    asked = [];
    for (const _ of [1, 2, 3]) await sweepOnce(kycWatch, "aurora");
    expect(asked).toEqual(["1", "2", "1", "3", "1", "4"]);
  });

  it("resumes the list where the last sweep stopped, on any instance", async () => {
    const started = await startMany(45);
    for (const id of started) await service.control("POST", `/sandbox/kyc/${id}`, { status: "APPROVED" });
    await sweepOnce(kycWatch, "aurora");
    const [oldest = ""] = started;
    await service.control("POST", `/sandbox/kyc/${oldest}`, { status: "REPROVED" });
    await sweepOnce(kycWatch, "aurora");
    await sweepOnce(kycWatch, "aurora");
    expect((await queue()).at(-1)).toBe(`${oldest} REPROVED`);
  });

  it("keeps the provider's order of a list that takes several sweeps", async () => {
    const started = await startMany(230);
    await sweepOnce(kycWatch, "aurora");
    await sweepOnce(kycWatch, "aurora");
    expect(await queue()).toEqual(started.toReversed().map((id) => `${id} PROCESSING`));
  });

  it("notifies open screens only of changes", async () => {
    const [one = ""] = await startMany(2);
    await sweepOnce(kycWatch, "aurora");
    await db.delete(liveEvent);
    await sweepOnce(kycWatch, "aurora");
    expect(await told()).toEqual([]);
    await service.control("POST", `/sandbox/kyc/${one}`, { status: "APPROVED" });
    await sweepOnce(kycWatch, "aurora");
    expect(await told()).toEqual([one]);
  });

  it("sees a change of an old open case beyond the first page", async () => {
    const [oldest = ""] = await startMany(25);
    await sweepOnce(kycWatch, "aurora");
    await service.control("POST", `/sandbox/kyc/${oldest}`, { status: "REPROVED" });
    await sweepOnce(kycWatch, "aurora");
    expect((await queue()).at(-1)).toBe(`${oldest} REPROVED`);
  });

  it("records when a sweep last finished and that it failed, and keeps its data", async () => {
    await startMany(1);
    await sweepOnce(kycWatch, "aurora");
    expect(await freshness("aurora", "kyc")).toMatchObject({ isStale: false });
    const down = { method: "GET", path: "/v1/kyc/list", status: 503, body: { message: "down" }, times: 100 };
    await service.control("POST", "/sandbox/faults", down);
    await sweepOnce(kycWatch, "aurora");
    const state = await freshness("aurora", "kyc");
    expect(state).toMatchObject({ isStale: true });
    expect(state.asOf).not.toBeNull();
    expect(await queue()).toHaveLength(1);
  });
});

/** A decision that another instance was sending when it died. */
async function abandoned(kycUUID: string, changes: Partial<typeof providerIntent.$inferInsert> = {}): Promise<string> {
  const id = randomUUID();
  const staffId = await givenStaff(db, "compliance");
  const createdAt = changes.createdAt ?? new Date(Date.now() - 120_000);
  await givenIntentRows(db, {
    tenant: "aurora",
    id,
    operation: "/v1/kyc/manual-decision",
    object: `kyc:${kycUUID}`,
    isExclusive: true,
    actor: staffId,
    bodyHash: "",
    key: randomUUID(),
    state: "SENDING",
    attempts: 1,
    mayHaveExecuted: false,
    owner: randomUUID(),
    sendingUntil: new Date(Date.now() - 45_000),
    createdAt,
    firstSentAt: createdAt,
    ...changes,
  });
  const reason = seal("ok", { column: "kyc_decision.reason", row: ["aurora", id] });
  const decided = { decision: "APPROVED", reason, staffId, createdAt } as const;
  await db.insert(kycDecision).values({ intentId: id, tenant: "aurora", kycUUID, ...decided });
  return id;
}

const outcomes = async (intentId: string) =>
  (
    await db
      .select({ outcome: auditEvent.outcome })
      .from(auditEvent)
      .where(and(eq(auditEvent.intentId, intentId), eq(auditEvent.code, "kyc.decide")))
      .orderBy(auditEvent.seq)
  ).map(({ outcome }) => outcome);

describe("a decision whose sender died", () => {
  it("marks a decision unknown, then done when the provider shows its effect", async () => {
    const kycUUID = await startKyc(service);
    const intentId = await abandoned(kycUUID);
    await sweepOnce(kycWatch, "aurora");
    expect(await outcomes(intentId)).toEqual(["UNKNOWN"]);
    await service.control("POST", `/sandbox/kyc/${kycUUID}`, { status: "APPROVED" });
    await sweepOnce(kycWatch, "aurora");
    expect(await outcomes(intentId)).toEqual(["UNKNOWN", "DONE"]);
  });

  it("checks a decision by id before reading the list, and again later", async () => {
    const kycUUID = await startKyc(service);
    await sweepOnce(kycWatch, "aurora");
    const sentAt = new Date(Date.now() - 60_000);
    const intentId = await abandoned(kycUUID, { state: "UNKNOWN", createdAt: sentAt });
    await db.update(kycCase).set({ seenAt: sentAt });
    await service.control("POST", `/sandbox/kyc/${kycUUID}`, { status: "PROCESSING" });
    asked = [];
    await sweepOnce(decisionWatch, "aurora");
    await sweepOnce(decisionWatch, "aurora");
    expect(asked).toEqual([kycUUID]);
    expect(await outcomes(intentId)).toEqual([]);
    await service.control("POST", `/sandbox/kyc/${kycUUID}`, { status: "APPROVED" });
    await db.update(kycCase).set({ seenAt: new Date(Date.now() - 45_000) });
    await sweepOnce(decisionWatch, "aurora");
    expect(asked).toEqual([kycUUID, kycUUID]);
    expect(await outcomes(intentId)).toEqual(["DONE"]);
  });

  it("refuses a decision when nothing was sent, and allows a repeat", async () => {
    const intentId = await abandoned(await startKyc(service), { attempts: 0 });
    await sweepOnce(kycWatch, "aurora");
    expect(await outcomes(intentId)).toEqual(["REFUSED"]);
  });

  it("ends the flight of a dead sender's decision while the provider is down", async () => {
    const intentId = await abandoned(await startKyc(service));
    const down = { method: "GET", path: "/v1/kyc/list", status: 503, body: { message: "down" }, times: 100 };
    await service.control("POST", "/sandbox/faults", down);
    await sweepOnce(kycWatch, "aurora");
    expect(await outcomes(intentId)).toEqual(["UNKNOWN"]);
  });

  it("credits no decision with a later decision's effect", async () => {
    const kycUUID = await startKyc(service);
    const lost = await abandoned(kycUUID);
    await sweepOnce(kycWatch, "aurora");
    const later = await abandoned(kycUUID, { state: "DONE", createdAt: new Date() });
    await service.control("POST", `/sandbox/kyc/${kycUUID}`, { status: "APPROVED" });
    await sweepOnce(kycWatch, "aurora");
    expect(await outcomes(lost)).toEqual(["UNKNOWN"]);
    expect(await outcomes(later)).toEqual([]);
  });

  it("credits no decision with the case's earlier state", async () => {
    const kycUUID = await startKyc(service);
    await service.control("POST", `/sandbox/kyc/${kycUUID}`, { status: "APPROVED" });
    await db.insert(kycCase).values({
      tenant: "aurora",
      kycUUID,
      vatNumber: "***",
      kycType: "PF",
      process: "kyc-backgroundcheck",
      status: "APPROVED",
      firstSeenAt: new Date(0),
      changedAt: new Date(0),
      seenAt: new Date(0),
    });
    const intentId = await abandoned(kycUUID);
    await sweepOnce(kycWatch, "aurora");
    await sweepOnce(kycWatch, "aurora");
    expect(await outcomes(intentId)).toEqual(["UNKNOWN"]);
  });
});

it("asks in turn about cases that the provider no longer lists", async () => {
  const ghost = { tenant: "aurora", vatNumber: "***", kycType: "PF", process: "kyc-backgroundcheck" } as const;
  const seen = { firstSeenAt: new Date(0), changedAt: new Date(0), seenAt: new Date(0) };
  const ghosts = Array.from({ length: 20 }, (_, n) => ({
    ...ghost,
    ...seen,
    kycUUID: `ghost-${n}`,
    status: "PENDING" as const,
  }));
  const [oldest = ""] = await startMany(25);
  await sweepOnce(kycWatch, "aurora");
  await db.insert(kycCase).values(ghosts);
  await service.control("POST", `/sandbox/kyc/${oldest}`, { status: "REPROVED" });
  for (let round = 0; round < 12; round += 1) await sweepOnce(kycWatch, "aurora");
  expect(await queue()).toContain(`${oldest} REPROVED`);
});
