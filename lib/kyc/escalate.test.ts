import { randomUUID } from "node:crypto";
import { eq, isNull } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { storeNow } from "@/lib/db/clock";
import { auditEvent } from "@/lib/db/tables/audit";
import { kycCase, kycEscalation, kycEvent, kycPutOff } from "@/lib/db/tables/kyc";
import { caseworkNote } from "@/lib/db/tables/notes";
import { givenApproval } from "@/test/support/approvals";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { decisionOn, givenCase, givenEscalation, givenPutOff, puttingOff } from "@/test/support/kyc";
import { release } from "./assign";
import { claimNext } from "./claim-next";
import { validateDecision } from "./decision-validation";
import { answerEscalation, escalate, takeEscalation, withdrawEscalation } from "./escalate";
import { putOff } from "./put-off";
import { readCaseQueue } from "./queue";
import { saveRecords } from "./sync";

const tenant = "aurora";
let db: Db;
let ana = "";
let clara = "";
let davi = "";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "compliance");
  clara = await givenStaff(db, "approver");
  davi = await givenStaff(db, "approver");
});

const as = (staffId: string) => actorOf("compliance", staffId, "kyc:assign");
const above = (staffId: string) => actorOf("approver", staffId, "approvals:authorize");
const row = async (view: "all" | "escalated" = "escalated") =>
  (await readCaseQueue(actorOf("compliance", ana, "kyc:read"), { view })).rows[0];
const onRecord = async () => (await db.select().from(auditEvent).orderBy(auditEvent.seq)).map(({ code }) => code);
const refusal = (code: string) => ({ details: { code } });
const text = "Pode aprovar: a procuração cobre a assinatura";

it("hands a case up, takes it, answers it and hands it back, each on record", async () => {
  const { kycUUID, escalationId } = await givenEscalation(db, ana);
  expect(await row()).toMatchObject({ kycUUID, assignee: { id: ana }, escalation: { isOpen: true, taker: null } });
  await takeEscalation(above(clara), { kycUUID, escalationId, takeFrom: null });
  expect(await row()).toMatchObject({ escalation: { id: escalationId, taker: { id: clara }, answer: null } });
  const answerId = randomUUID();
  const answer = { kycUUID, escalationId, answerId, text };
  await answerEscalation(above(clara), answer);
  await answerEscalation(above(clara), answer);
  expect(await row()).toBeUndefined();
  expect(await row("all")).toMatchObject({ escalation: { isOpen: false, answer: { id: answerId } } });
  expect(await onRecord()).toEqual([
    "casework.note",
    "kyc.escalate",
    "kyc.escalation-take",
    "casework.note",
    "kyc.escalation-answer",
  ]);
  const kinds = (await db.select().from(kycEvent).orderBy(kycEvent.id)).map(({ kind, actor }) => [kind, actor]);
  expect(kinds).toEqual([
    ["noted", ana],
    ["escalated", ana],
    ["escalation-taken", clara],
    ["noted", clara],
    ["escalation-answered", clara],
  ]);
});

it("keeps question and answer sealed, as notes of the case", async () => {
  const order = await givenEscalation(db, ana, clara);
  await answerEscalation(above(clara), { ...order, answerId: randomUUID(), text });
  const stored = [
    await db.select().from(caseworkNote),
    await db.select().from(kycEscalation),
    await db.select().from(auditEvent),
  ];
  expect(stored[0]).toHaveLength(2);
  expect(JSON.stringify(stored)).not.toMatch(/Maria|procuração/);
});

it("keeps a case from being decided, put off, offered or escalated again meanwhile", async () => {
  const { kycUUID } = await givenEscalation(db, ana);
  const order = decisionOn(kycUUID, { expected: { status: "PENDING", process: "kyc-backgroundcheck" } });
  const decided = db.transaction((tx) => validateDecision(tx, actorOf("compliance", ana, "kyc:decide"), order));
  await expect(decided).rejects.toMatchObject(refusal("case-escalated"));
  await expect(putOff(as(ana), puttingOff(kycUUID))).rejects.toMatchObject(refusal("case-escalated"));
  await expect(escalate(as(ana), { kycUUID, escalationId: randomUUID(), text })).rejects.toMatchObject(
    refusal("case-escalated"),
  );
  await release(as(ana), { kycUUID });
  expect(await claimNext(as(ana), { attemptId: randomUUID() })).toMatchObject({ kycUUID: null });
});

it("lets one of two people of the second level take it, and names the other's holder", async () => {
  const order = await givenEscalation(db, ana);
  const takes = [clara, davi].map((id) => takeEscalation(above(id), { ...order, takeFrom: null }));
  const settled = await Promise.allSettled(takes);
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const [taken] = await db.select().from(kycEscalation);
  expect(settled.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { details: { code: "escalation-taken", holder: { id: taken?.takenBy } } },
  });
  const loser = taken?.takenBy === clara ? davi : clara;
  const answer = { ...order, answerId: randomUUID(), text };
  await expect(answerEscalation(above(loser), answer)).rejects.toMatchObject(refusal("escalation-not-yours"));
  await takeEscalation(above(loser), { ...order, takeFrom: taken?.takenBy ?? null });
  await answerEscalation(above(loser), answer);
});

it("refuses an answer by who asked, and withdrawing what is taken", async () => {
  const order = await givenEscalation(db, ana);
  await expect(takeEscalation(above(ana), { ...order, takeFrom: null })).rejects.toMatchObject(
    refusal("escalation-own"),
  );
  await takeEscalation(above(clara), { ...order, takeFrom: null });
  await expect(withdrawEscalation(as(ana), order)).rejects.toMatchObject(refusal("escalation-taken"));
});

it("takes a case back once, after which nobody answers it", async () => {
  const order = await givenEscalation(db, ana);
  await expect(withdrawEscalation(as(await givenStaff(db, "compliance")), order)).rejects.toMatchObject(
    refusal("case-held"),
  );
  await Promise.all([withdrawEscalation(as(ana), order), withdrawEscalation(as(ana), order)]);
  expect(await row("all")).toMatchObject({ escalation: null });
  expect((await onRecord()).filter((code) => code === "kyc.escalation-end")).toHaveLength(1);
  await expect(takeEscalation(above(clara), { ...order, takeFrom: null })).rejects.toMatchObject(
    refusal("escalation-changed"),
  );
});

it("brings back a case that was put off, and refuses one that awaits approval", async () => {
  const kycUUID = await givenCase(db, { assigneeId: ana });
  await givenPutOff(db, { kycUUID, staffId: ana });
  await escalate(as(ana), { kycUUID, escalationId: randomUUID(), text });
  expect(await row()).toMatchObject({ kycUUID, putOff: null });
  const proposed = await givenCase(db, { assigneeId: ana });
  await givenApproval(db, { tenant, id: proposed, makerId: ana, headline: "um caso" });
  await expect(escalate(as(ana), { kycUUID: proposed, escalationId: randomUUID(), text })).rejects.toMatchObject(
    refusal("approval-open"),
  );
});

it("ends with the case when the provider shows it decided", async () => {
  const { kycUUID } = await givenEscalation(db, ana, clara);
  const told = {
    vatNumber: "***.456.789-**",
    kycType: "PF",
    process: "kyc-backgroundcheck",
    status: "REPROVED",
  } as const;
  const askedAt = await storeNow(db);
  await db.transaction((tx) => saveRecords(tx, tenant, { records: [{ kycUUID, ...told }], askedAt }));
  expect(await db.select().from(kycEscalation)).toMatchObject([{ ending: "decided" }]);
  const [stored] = await db.select().from(kycCase).where(eq(kycCase.kycUUID, kycUUID));
  expect(stored?.escalationId).toBeNull();
  expect((await onRecord()).at(-1)).toBe("kyc.escalation-end");
});

it("leaves a case put off or escalated, never both, after ten orders of each at once", async () => {
  const kycUUID = await givenCase(db, { assigneeId: ana });
  const ids = Array.from({ length: 10 }, () => randomUUID());
  const settled = await Promise.allSettled(
    ids.flatMap((escalationId) => [
      putOff(as(ana), puttingOff(kycUUID)),
      escalate(as(ana), { kycUUID, escalationId, text }),
    ]),
  );
  const refused = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  for (const reason of refused)
    expect(["put-off-changed", "case-escalated"]).toContain(new Map(Object.entries(reason.details)).get("code"));
  expect(await db.$count(kycEscalation)).toBe(1);
  expect(await db.$count(kycPutOff, isNull(kycPutOff.endedAt))).toBe(0);
  const [stored] = await db.select().from(kycCase).where(eq(kycCase.kycUUID, kycUUID));
  expect(ids).toContain(stored?.escalationId);
  expect(stored?.putOffUntil).toBeNull();
  const happened = settled.length - refused.length;
  expect(await db.$count(caseworkNote)).toBe(happened);
  const acts = (await onRecord()).filter((code) => code === "kyc.put-off" || code === "kyc.escalate");
  expect(acts).toHaveLength(happened);
});
