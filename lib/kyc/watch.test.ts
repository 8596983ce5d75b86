import { randomUUID } from "node:crypto";
import { and, desc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { auditEvent, kycCase, kycDecision } from "@/lib/store/schema";
import { seal } from "@/lib/store/seal";
import type { Db } from "@/lib/store/store";
import { givenEnv, givenService, givenStaff, givenStore } from "@/lib/testing";
import { freshness, sweepOnce } from "@/lib/watch";
import type { Harness } from "@/service/testing";
import { startKyc } from "./testing";
import { createKycWatch } from "./watch";

let db: Db;
let service: Harness;
let calls = 0;
let watch = createKycWatch();

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  calls = 0;
  watch = createKycWatch();
  service = await givenService((request) => {
    if (new URL(request.url).pathname === "/v1/kyc/list") calls += 1;
  });
});

const queue = async () =>
  (await db.select().from(kycCase).orderBy(desc(kycCase.seq))).map(({ kycUUID, status }) => `${kycUUID} ${status}`);

async function startMany(count: number): Promise<string[]> {
  const started: string[] = [];
  for (let n = 0; n < count; n += 1) started.push(await startKyc(service));
  return started;
}

describe("the KYC watch", () => {
  it("brings every page of the provider's list, in the provider's order", async () => {
    const started = await startMany(45);
    await sweepOnce(watch);
    expect(await queue()).toEqual(started.toReversed().map((id) => `${id} PROCESSING`));
  });

  it("reads one page when nothing is new and no open case lies beyond it", async () => {
    const started = await startMany(25);
    for (const id of started) await service.control("POST", `/sandbox/kyc/${id}`, { status: "APPROVED" });
    await sweepOnce(watch);
    calls = 0;
    await sweepOnce(watch);
    expect(calls).toBe(1);
  });

  it("sees an old open case change although it lies beyond the first page", async () => {
    const [oldest = ""] = await startMany(25);
    await sweepOnce(watch);
    await service.control("POST", `/sandbox/kyc/${oldest}`, { status: "REPROVED" });
    await sweepOnce(watch);
    expect((await queue()).at(-1)).toBe(`${oldest} REPROVED`);
  });

  it("notes when it last finished, and that it failed, keeping what it knew", async () => {
    await startMany(1);
    await sweepOnce(watch);
    expect(await freshness("aurora", "kyc")).toMatchObject({ isStale: false });
    const down = { method: "GET", path: "/v1/kyc/list", status: 503, body: { message: "down" }, times: 100 };
    await service.control("POST", "/sandbox/faults", down);
    await sweepOnce(watch);
    const state = await freshness("aurora", "kyc");
    expect(state).toMatchObject({ isStale: true });
    expect(state.asOf).not.toBeNull();
    expect(await queue()).toHaveLength(1);
  });
});

async function abandoned(kycUUID: string): Promise<string> {
  const intentId = randomUUID();
  await db.insert(kycDecision).values({
    intentId,
    tenant: "aurora",
    kycUUID,
    decision: "APPROVED",
    reason: seal("ok"),
    staffId: await givenStaff(db, "compliance"),
    state: "SENDING",
    createdAt: new Date(Date.now() - 120_000),
  });
  return intentId;
}

const outcomes = async (intentId: string) =>
  (
    await db
      .select({ outcome: auditEvent.outcome })
      .from(auditEvent)
      .where(and(eq(auditEvent.intentId, intentId), eq(auditEvent.code, "kyc.decide")))
  ).map(({ outcome }) => outcome);

describe("a decision whose sender died", () => {
  it("becomes unknown, and done when the provider shows its effect", async () => {
    const kycUUID = await startKyc(service);
    const intentId = await abandoned(kycUUID);
    await sweepOnce(watch);
    expect(await outcomes(intentId)).toEqual(["UNKNOWN"]);
    await service.control("POST", `/sandbox/kyc/${kycUUID}`, { status: "APPROVED" });
    await sweepOnce(watch);
    expect(await outcomes(intentId)).toEqual(["UNKNOWN", "DONE"]);
  });
});
