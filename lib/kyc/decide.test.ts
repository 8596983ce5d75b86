import { randomUUID } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { providerIntent } from "@/lib/db/tables/provider";
import { kycCase, kycDecision } from "@/lib/db/tables/kyc";
import { auditEvent } from "@/lib/db/tables/audit";
import { unseal } from "@/lib/db/seal";
import type { Db } from "@/lib/db/connection";
import { UNOPENED } from "@/lib/text/provider-word";
import { givenIntentRows } from "@/test/support/claims";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import type { Harness } from "@/test/support/service/harness";
import { readDecisions } from "./decisions";
import type { CaseDecision } from "./inputs";
import { decide, decisionOn, providerStatus, startKyc } from "@/test/support/kyc";
import { findCase } from "./queue";

const DECIDE = "/v1/kyc/manual-decision";

let db: Db;
let service: Harness;
let staffId = "";
let decisionsSent = 0;
/** What the provider says of any case instead. */
let listed: readonly unknown[] | null = null;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "compliance");
  decisionsSent = 0;
  listed = null;
  service = await givenService(
    (request) => {
      if (new URL(request.url).pathname === DECIDE) decisionsSent += 1;
    },
    (serve) => (request) => {
      const isReported = new URL(request.url).pathname === "/v1/kyc/list" && listed !== null;
      return isReported ? Response.json({ page: 1, limit: 20, result: listed }) : serve(request);
    },
  );
});

const deciding = (input: CaseDecision) => decide(actorOf("compliance", staffId, "kyc:decide"), input);

async function trail(): Promise<string[]> {
  const rows = await db.select().from(auditEvent).where(eq(auditEvent.code, "kyc.decide")).orderBy(asc(auditEvent.seq));
  return rows.map(({ outcome }) => outcome);
}

const fault = (changes: Record<string, unknown>) =>
  service.control("POST", "/sandbox/faults", { method: "POST", path: DECIDE, times: 1, ...changes });

describe("a decision", () => {
  it("reaches the provider once and is on record before and after", async () => {
    const kycUUID = await startKyc(service);
    await expect(deciding(decisionOn(kycUUID))).resolves.toEqual({ state: "DECIDED", kycUUID, decision: "APPROVED" });
    expect(await providerStatus(service, kycUUID)).toBe("APPROVED");
    expect(decisionsSent).toBe(1);
    expect(await trail()).toEqual(["INTENT", "DONE"]);
    const [row] = await db.select().from(kycCase).where(eq(kycCase.kycUUID, kycUUID));
    expect(row?.status).toBe("APPROVED");
  });

  it("keeps its reason sealed", async () => {
    await deciding(decisionOn(await startKyc(service), { reason: "Nome da mãe confere" }));
    const [row] = await db.select().from(kycDecision);
    expect(row?.reason).not.toContain("mãe");
    const place = { column: "kyc_decision.reason", row: ["aurora", row?.intentId ?? ""] } as const;
    expect(unseal(row?.reason ?? "", place)).toBe("Nome da mãe confere");
  });

  it("does not open in a row that was moved to another tenant", async () => {
    const kycUUID = await startKyc(service);
    await deciding(decisionOn(kycUUID, { reason: "Nome confere", note: "Ligar para a Ana." }));
    const moved = { tenant: "boreal" };
    for (const row of await db.select().from(providerIntent)) await givenIntentRows(db, { ...row, ...moved });
    for (const row of await db.select().from(kycDecision)) await db.insert(kycDecision).values({ ...row, ...moved });
    const readIn = (tenant: string) => readDecisions(db, { tenant, kycUUID, showsNotes: true });
    expect(await readIn("aurora")).toMatchObject([{ reason: "Nome confere", note: "Ligar para a Ana." }]);
    expect(await readIn("boreal")).toMatchObject([{ reason: UNOPENED, note: UNOPENED }]);
  });

  it("is refused, and not sent, when the case changed since it was opened", async () => {
    const kycUUID = await startKyc(service);
    await service.control("POST", `/sandbox/kyc/${kycUUID}`, { status: "REPROVED" });
    await expect(deciding(decisionOn(kycUUID))).rejects.toMatchObject({
      kind: "conflict",
      details: { code: "case-changed", current: { status: "REPROVED", process: "kyc-backgroundcheck" } },
    });
    expect(decisionsSent).toBe(0);
    expect(await trail()).toEqual(["INTENT", "REFUSED"]);
    const [row] = await db.select().from(kycCase).where(eq(kycCase.kycUUID, kycUUID));
    expect(row?.status).toBe("REPROVED");
  });

  it("is refused, and not sent, when a record beside the case's own cannot be read", async () => {
    const kycUUID = await startKyc(service);
    const own = { kycUUID, process: "kyc-backgroundcheck", status: "PROCESSING", kycType: "PF", vatNumber: "" };
    listed = [own, { process: "kyc-documentscopy", status: "REPROVED" }];
    await expect(deciding(decisionOn(kycUUID))).rejects.toMatchObject({ kind: "malformed" });
    listed = [own];
    await expect(deciding(decisionOn(kycUUID))).resolves.toMatchObject({ kycUUID });
    expect(decisionsSent).toBe(1);
  });

  it("sent twice with one intent takes effect once and gives the same answer", async () => {
    const once = decisionOn(await startKyc(service));
    const first = await deciding(once);
    await expect(deciding(once)).resolves.toEqual(first);
    expect(decisionsSent).toBe(1);
  });

  it("of two people at once reaches the provider from one of them", async () => {
    const kycUUID = await startKyc(service);
    const both = await Promise.allSettled([
      deciding(decisionOn(kycUUID)),
      deciding(decisionOn(kycUUID, { decision: "REPROVED" })),
    ]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(decisionsSent).toBe(1);
  });

  it("about a case nobody knows is refused", async () => {
    await expect(deciding(decisionOn(randomUUID()))).rejects.toMatchObject({ kind: "not-found" });
    expect(await trail()).toEqual(["INTENT", "REFUSED"]);
  });

  it.each([
    { what: "the provider fails", how: { status: 503, body: { message: "down" } } },
    { what: "the connection is cut", how: { drop: true } },
    { what: "the answer is no answer", how: { status: 200, body: "<html>" } },
  ])("stays unconfirmed, and is not sent again, when $what", async ({ how }) => {
    const kycUUID = await startKyc(service);
    await fault(how);
    await expect(deciding(decisionOn(kycUUID))).rejects.toMatchObject({ details: { code: "decision-unconfirmed" } });
    expect(decisionsSent).toBe(1);
    expect(await trail()).toEqual(["INTENT", "UNKNOWN"]);
    const unconfirmed = (await findCase(db, { tenant: "aurora", kycUUID }))?.row.unconfirmed;
    expect(unconfirmed).toMatchObject({ decision: "APPROVED" });
  });

  it("that followed an unconfirmed one and was confirmed leaves nothing unconfirmed", async () => {
    const kycUUID = await startKyc(service);
    await fault({ status: 503, body: { message: "down" } });
    await expect(deciding(decisionOn(kycUUID))).rejects.toMatchObject({ details: { code: "decision-unconfirmed" } });
    await deciding(decisionOn(kycUUID, { decision: "REPROVED" }));
    const standing = (await findCase(db, { tenant: "aurora", kycUUID }))?.row;
    expect(standing).toMatchObject({ unconfirmed: null, needsSecond: true });
  });

  it.each([400, 402, 403, 404, 409, 412, 422, 429])("that the provider refuses with %i is refused", async (status) => {
    const kycUUID = await startKyc(service);
    await fault({ status, body: { message: "no" } });
    await expect(deciding(decisionOn(kycUUID))).rejects.toMatchObject({ details: { status } });
    expect(decisionsSent).toBe(1);
    expect(await trail()).toEqual(["INTENT", "REFUSED"]);
  });

  it("that was never sent may be sent with the same intent once the provider is back", async () => {
    const once = decisionOn(await startKyc(service));
    const down = { method: "GET", path: "/v1/kyc/list", status: 500, body: { message: "down" }, times: 100 };
    await service.control("POST", "/sandbox/faults", down);
    await expect(deciding(once)).rejects.toMatchObject({ kind: "unavailable" });
    await service.control("DELETE", "/sandbox/faults");
    await expect(deciding(once)).resolves.toMatchObject({ decision: "APPROVED" });
    expect(decisionsSent).toBe(1);
    expect(await trail()).toEqual(["INTENT", "REFUSED", "INTENT", "DONE"]);
  });

  it("whose answer was lost is not sent again under the same intent", async () => {
    const once = decisionOn(await startKyc(service));
    await fault({ drop: true });
    await expect(deciding(once)).rejects.toMatchObject({ details: { code: "decision-unconfirmed" } });
    await expect(deciding(once)).rejects.toMatchObject({ details: { code: "intent-already-sent" } });
    expect(decisionsSent).toBe(1);
  });

  it("may be taken again after one that was not confirmed", async () => {
    const kycUUID = await startKyc(service);
    await fault({ drop: true });
    await expect(deciding(decisionOn(kycUUID))).rejects.toMatchObject({ kind: "unavailable" });
    await expect(deciding(decisionOn(kycUUID))).resolves.toMatchObject({ decision: "APPROVED" });
  });
});
