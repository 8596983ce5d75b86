import { APPROVABLE_WRITES } from "@/lib/writes/approvable";
import { randomUUID } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { getApproval, listApprovals } from "@/lib/approvals/queries";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/test/support/auth";
import { providerIntent } from "@/lib/db/tables/provider";
import { kycCase, kycDecision } from "@/lib/db/tables/kyc";
import { auditEvent } from "@/lib/db/tables/audit";
import { unseal } from "@/lib/db/seal";
import type { Db } from "@/lib/db/connection";
import { UNOPENED } from "@/lib/text/provider-word";
import { givenIntentRows } from "@/test/support/claims";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import type { Harness } from "@/test/support/service/harness";
import { readDecisions } from "./read-case";
import type { CaseDecision } from "./inputs";
import { decide, decisionOn, providerStatus, startKyc, givenOwnCase } from "@/test/support/kyc";
import { findCase } from "./queue";
import { givenPolicy } from "@/test/support/approvals";
import { findApproval } from "@/lib/approvals/records";
import { readSnapshot } from "@/lib/approvals/snapshot";
import { approval } from "@/lib/db/tables/approvals";
import { staff } from "@/lib/db/tables/staff";
import { authorise } from "@/lib/approvals/decide";
import { withdraw } from "@/lib/approvals/withdraw";
import { addFile } from "@/lib/notes/file";
import { caseworkFile } from "@/lib/db/tables/notes";
import { orderDecision } from "./decide";
import { changeCaseRules } from "./case-rules";
import { STANDARD_RULES } from "./standard-rules-view";
import { removeFromCase } from "./files";
import { caseTarget } from "./notes";

const DECIDE = "/v1/kyc/manual-decision";

let db: Db;
let service: Harness;
let staffId = "";
let approverId = "";
let decisionsSent = 0;
/** Replaces the provider's answer for any case. */
let listed: readonly unknown[] | null = null;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "compliance");
  approverId = await givenStaff(db, "approver");
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
  it("sends a decision once and audits it before and after", async () => {
    const kycUUID = await startKyc(service);
    await expect(deciding(decisionOn(kycUUID))).resolves.toEqual({ state: "DECIDED", kycUUID, decision: "APPROVED" });
    expect(await providerStatus(service, kycUUID)).toBe("APPROVED");
    expect(decisionsSent).toBe(1);
    expect(await trail()).toEqual(["INTENT", "DONE"]);
    const [row] = await db.select().from(kycCase).where(eq(kycCase.kycUUID, kycUUID));
    expect(row?.status).toBe("APPROVED");
  });

  it("seals a decision's reason", async () => {
    await deciding(decisionOn(await startKyc(service), { reason: "Nome da mãe confere" }));
    const [row] = await db.select().from(kycDecision);
    expect(row?.reason).not.toContain("mãe");
    const place = { column: "kyc_decision.reason", row: ["aurora", row?.intentId ?? ""] } as const;
    expect(unseal(row?.reason ?? "", place)).toBe("Nome da mãe confere");
  });

  it("does not open a decision in a row moved to another tenant", async () => {
    const kycUUID = await startKyc(service);
    await deciding(decisionOn(kycUUID, { reason: "Nome confere", note: "Ligar para a Ana." }));
    const moved = { tenant: "boreal" };
    for (const row of await db.select().from(providerIntent)) await givenIntentRows(db, { ...row, ...moved });
    for (const row of await db.select().from(kycDecision)) await db.insert(kycDecision).values({ ...row, ...moved });
    const readIn = (tenant: string) => readDecisions(db, { tenant, kycUUID, showsNotes: true });
    expect(await readIn("aurora")).toMatchObject([{ reason: "Nome confere", note: "Ligar para a Ana." }]);
    expect(await readIn("boreal")).toMatchObject([{ reason: UNOPENED, note: UNOPENED }]);
  });

  it("does not send a decision when the case changed since it was opened", async () => {
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

  it("does not send a decision when another record of the case is unreadable", async () => {
    const kycUUID = await startKyc(service);
    const own = { kycUUID, process: "kyc-backgroundcheck", status: "PROCESSING", kycType: "PF", vatNumber: "" };
    listed = [own, { process: "kyc-documentscopy", status: "REPROVED" }];
    await expect(deciding(decisionOn(kycUUID))).rejects.toMatchObject({ kind: "malformed" });
    listed = [own];
    await expect(deciding(decisionOn(kycUUID))).resolves.toMatchObject({ kycUUID });
    expect(decisionsSent).toBe(1);
  });

  it("decides once when sent twice with one intent, with equal answers", async () => {
    const once = decisionOn(await startKyc(service));
    const first = await deciding(once);
    await expect(deciding(once)).resolves.toEqual(first);
    expect(decisionsSent).toBe(1);
  });

  it("decides once when two people decide together", async () => {
    const kycUUID = await startKyc(service);
    const both = await Promise.allSettled([
      deciding(decisionOn(kycUUID)),
      deciding(decisionOn(kycUUID, { decision: "REPROVED" })),
    ]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(decisionsSent).toBe(1);
  });

  it("refuses a decision about an unknown case", async () => {
    await expect(deciding(decisionOn(randomUUID()))).rejects.toMatchObject({ kind: "not-found" });
    expect(await trail()).toEqual(["INTENT", "REFUSED"]);
  });

  it.each([
    { what: "the provider fails", how: { status: 503, body: { message: "down" } } },
    { what: "the connection is cut", how: { drop: true } },
    { what: "the answer is no answer", how: { status: 200, body: "<html>" } },
  ])("leaves a decision unconfirmed, and does not resend it, when $what", async ({ how }) => {
    const kycUUID = await startKyc(service);
    await fault(how);
    await expect(deciding(decisionOn(kycUUID))).rejects.toMatchObject({ details: { code: "decision-unconfirmed" } });
    expect(decisionsSent).toBe(1);
    expect(await trail()).toEqual(["INTENT", "UNKNOWN"]);
    const unconfirmed = (await findCase(db, { tenant: "aurora", kycUUID }))?.row.unconfirmed;
    expect(unconfirmed).toMatchObject({ decision: "APPROVED" });
  });

  it("calls no decision in flight unconfirmed", async () => {
    const kycUUID = await startKyc(service);
    await deciding(decisionOn(kycUUID));
    await db.update(providerIntent).set({ state: "SENDING" });
    expect((await findCase(db, { tenant: "aurora", kycUUID }))?.row.unconfirmed).toBeNull();
  });

  it("clears an earlier unconfirmed decision once confirmed", async () => {
    const kycUUID = await startKyc(service);
    await fault({ status: 503, body: { message: "down" } });
    await expect(deciding(decisionOn(kycUUID))).rejects.toMatchObject({ details: { code: "decision-unconfirmed" } });
    await deciding(decisionOn(kycUUID, { decision: "REPROVED" }));
    const standing = (await findCase(db, { tenant: "aurora", kycUUID }))?.row;
    expect(standing).toMatchObject({ unconfirmed: null, needsSecond: true });
  });

  it.each([400, 402, 403, 404, 409, 412, 422, 429])(
    "refuses a decision when the provider answers %i",
    async (status) => {
      const kycUUID = await startKyc(service);
      await fault({ status, body: { message: "no" } });
      await expect(deciding(decisionOn(kycUUID))).rejects.toMatchObject({ details: { status } });
      expect(decisionsSent).toBe(1);
      expect(await trail()).toEqual(["INTENT", "REFUSED"]);
    },
  );

  it("sends an unsent decision with the same intent after an outage", async () => {
    const once = decisionOn(await startKyc(service));
    const down = { method: "GET", path: "/v1/kyc/list", status: 500, body: { message: "down" }, times: 100 };
    await service.control("POST", "/sandbox/faults", down);
    await expect(deciding(once)).rejects.toMatchObject({ kind: "unavailable" });
    await service.control("DELETE", "/sandbox/faults");
    await expect(deciding(once)).resolves.toMatchObject({ decision: "APPROVED" });
    expect(decisionsSent).toBe(1);
    expect(await trail()).toEqual(["INTENT", "REFUSED", "INTENT", "DONE"]);
  });

  it("does not resend a decision under the same intent after a lost answer", async () => {
    const once = decisionOn(await startKyc(service));
    await fault({ drop: true });
    await expect(deciding(once)).rejects.toMatchObject({ details: { code: "decision-unconfirmed" } });
    await expect(deciding(once)).rejects.toMatchObject({ details: { code: "intent-already-sent" } });
    expect(decisionsSent).toBe(1);
  });

  it("repeats a decision after an unconfirmed one", async () => {
    const kycUUID = await startKyc(service);
    await fault({ drop: true });
    await expect(deciding(decisionOn(kycUUID))).rejects.toMatchObject({ kind: "unavailable" });
    await expect(deciding(decisionOn(kycUUID))).resolves.toMatchObject({ decision: "APPROVED" });
  });
});

const ordering = (order: CaseDecision) => orderDecision(actorOf("compliance", staffId, "kyc:decide"), order);
const authorising = (approvalId: string) =>
  authorise(APPROVABLE_WRITES, actorOf("approver", approverId, "approvals:authorize"), { approvalId });

const decision = (kycUUID: string, status: string) =>
  decisionOn(kycUUID, { expected: { status, process: "kyc-backgroundcheck" } });

const ownCase = () => givenOwnCase(db, service, staffId);

async function decidedCase(): Promise<string> {
  const kycUUID = await ownCase();
  await steer(kycUUID, "REPROVED");
  return kycUUID;
}

/** The provider changes it, and the watch sees that. */
async function steer(kycUUID: string, status: "REPROVED" | "PROCESSING"): Promise<void> {
  await service.control("POST", `/sandbox/kyc/${kycUUID}`, { status });
  await db.update(kycCase).set({ status }).where(eq(kycCase.kycUUID, kycUUID));
}

async function proposed(order: CaseDecision): Promise<string> {
  const answer = await ordering(order);
  if (answer.state !== "PROPOSED") throw new Error(`it was ${answer.state}`);
  return answer.approvalId;
}

describe("a decision about a case", () => {
  it("needs no second person while the case is undecided", async () => {
    const kycUUID = await ownCase();
    await expect(ordering(decision(kycUUID, "PROCESSING"))).resolves.toMatchObject({ state: "DECIDED" });
    expect(await db.$count(approval)).toBe(0);
  });

  it("asks a second person to overrule a final case, and overrules it once", async () => {
    const kycUUID = await decidedCase();
    const id = await proposed(decision(kycUUID, "REPROVED"));
    expect(await providerStatus(service, kycUUID)).toBe("REPROVED");
    await expect(authorising(id)).resolves.toEqual({ state: "EXECUTED", code: null });
    expect(await providerStatus(service, kycUUID)).toBe("APPROVED");
    const told = await readDecisions(db, { tenant: "aurora", kycUUID, showsNotes: true });
    const [names] = await db.select({ name: staff.name }).from(staff).where(eq(staff.id, approverId));
    expect(told).toMatchObject([{ authorisedBy: names?.name, byName: expect.any(String) }]);
  });

  it("asks a second person after our earlier decision, even if reopened", async () => {
    const kycUUID = await ownCase();
    await ordering(decision(kycUUID, "PROCESSING"));
    await steer(kycUUID, "PROCESSING");
    await expect(ordering(decision(kycUUID, "PROCESSING"))).resolves.toMatchObject({ state: "PROPOSED" });
  });

  it("returns the first result when retried under the same intent, deciding once", async () => {
    const once = decision(await ownCase(), "PROCESSING");
    const first = await ordering(once);
    await expect(ordering(once)).resolves.toEqual(first);
    expect(await db.$count(approval)).toBe(0);
  });

  it("creates no second proposal for a decision", async () => {
    const kycUUID = await decidedCase();
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => ordering(decision(kycUUID, "REPROVED"))));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await db.$count(approval)).toBe(1);
  });

  it("tells who decides a request that its case changed since", async () => {
    const kycUUID = await decidedCase();
    const id = await proposed(decision(kycUUID, "REPROVED"));
    vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: approverId, roles: ["approver"] }));
    expect((await getApproval(id))?.row.moved).toBeNull();
    const changedAt = new Date("2026-11-29T13:20:00Z");
    await db.update(kycCase).set({ status: "PENDING", changedAt }).where(eq(kycCase.kycUUID, kycUUID));
    const moved = { from: "REPROVED", to: "PENDING", at: changedAt.toISOString() };
    expect((await getApproval(id))?.row).toMatchObject({ moved });
    expect((await listApprovals({ view: "waiting" })).rows).toMatchObject([{ moved }]);
  });

  it("sends no decision when the case changed between proposal and authorisation", async () => {
    const kycUUID = await decidedCase();
    const id = await proposed(decision(kycUUID, "REPROVED"));
    await service.control("POST", `/sandbox/kyc/${kycUUID}`, { status: "PENDING" });
    await expect(authorising(id)).resolves.toEqual({ state: "FAILED", code: "case-changed" });
    expect(await providerStatus(service, kycUUID)).toBe("PENDING");
  });

  it("sends no decision when the case changed since the proposal and came back", async () => {
    const kycUUID = await decidedCase();
    const id = await proposed(decision(kycUUID, "REPROVED"));
    vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: approverId, roles: ["approver"] }));
    await db.update(kycCase).set({ changedAt: new Date(Date.now() + 1_000) });
    expect((await getApproval(id))?.row.moved).toMatchObject({ from: "REPROVED", to: "REPROVED" });
    await expect(authorising(id)).resolves.toEqual({ state: "FAILED", code: "case-changed" });
    expect(await providerStatus(service, kycUUID)).toBe("REPROVED");
  });

  it("keeps a decision with a lost answer unknown, without resending", async () => {
    const kycUUID = await decidedCase();
    const id = await proposed(decision(kycUUID, "REPROVED"));
    await service.control("POST", "/sandbox/faults", {
      method: "POST",
      path: "/v1/kyc/manual-decision",
      times: 1,
      drop: true,
    });
    await expect(authorising(id)).resolves.toMatchObject({ state: "UNKNOWN" });
    await expect(authorising(id)).rejects.toMatchObject({ details: { code: "approval-ended" } });
    expect(await db.$count(providerIntent)).toBe(1);
  });
});

const shownOf = async (id: string) => {
  const row = await findApproval(db, { tenant: "aurora", id });
  return row === null ? [] : ((await readSnapshot(row))?.shown.facts ?? []);
};

describe("what the second person decides about", () => {
  it("shows the outgoing reason apart from the checklist and the maker's note", async () => {
    const kycUUID = await decidedCase();
    const expected = { status: "REPROVED", process: "kyc-backgroundcheck" };
    const id = await proposed(decisionOn(kycUUID, { expected, note: "A cliente reenviou a selfie." }));
    const row = await findApproval(db, { tenant: "aurora", id });
    const facts = row === null ? [] : ((await readSnapshot(row))?.shown.facts ?? []);
    expect(facts.map(({ name }) => name)).toEqual(["status", "standingBy", "reason", "checklist", "note"]);
    expect(facts.at(-1)?.after).toEqual({ as: "text", text: "A cliente reenviou a selfie." });
    await expect(authorising(id)).resolves.toMatchObject({ state: "EXECUTED" });
    const [decided] = await db.select().from(kycDecision).where(eq(kycDecision.kycUUID, kycUUID));
    expect(decided?.checklist.every(({ isChecked }) => isChecked)).toBe(true);
    expect(decided?.noteSealed).not.toBeNull();
  });

  it("shows our earlier decision beside the new one, with its author and reason", async () => {
    const kycUUID = await ownCase();
    await ordering(decisionOn(kycUUID));
    await steer(kycUUID, "REPROVED");
    const id = await proposed(decision(kycUUID, "REPROVED"));
    const row = await findApproval(db, { tenant: "aurora", id });
    const facts = row === null ? [] : ((await readSnapshot(row))?.shown.facts ?? []);
    const told = { as: "text", text: "Dados cadastrais conferem com as fontes consultadas." };
    expect(facts).toContainEqual({
      name: "earlierDecision",
      before: null,
      after: { as: "kyc-status", status: "APPROVED" },
    });
    expect(facts).toContainEqual({ name: "earlierBy", before: null, after: { as: "text", text: "Ana Prado" } });
    expect(facts).toContainEqual({ name: "earlierAt", before: null, after: { as: "time", at: expect.any(String) } });
    expect(facts).toContainEqual({ name: "reason", before: told, after: told });
  });

  it("tells of a case that nobody here decided when it was first seen decided", async () => {
    const seenAt = "2026-03-02T12:00:00.000Z";
    const kycUUID = await decidedCase();
    await db
      .update(kycCase)
      .set({ decidedAt: new Date(seenAt) })
      .where(eq(kycCase.kycUUID, kycUUID));
    const facts = await shownOf(await proposed(decision(kycUUID, "REPROVED")));
    expect(facts).toContainEqual({ name: "standingBy", before: null, after: { as: "elsewhere", seenAt } });
  });

  it("tells who decided only of what still stands as it was decided here", async () => {
    const kycUUID = await ownCase();
    await ordering(decisionOn(kycUUID));
    const standing = { status: "APPROVED", process: "kyc-backgroundcheck" };
    const overruling = {
      decision: "REPROVED",
      reasonCode: "requirements-unmet",
      reason: "Requisitos cadastrais não atendidos.",
      expected: standing,
    } as const;
    const ours = await shownOf(await proposed(decisionOn(kycUUID, overruling)));
    expect(ours.map(({ name }) => name)).toContain("earlierAt");
    expect(ours.map(({ name }) => name)).not.toContain("standingBy");
    const other = await ownCase();
    await ordering(decisionOn(other));
    await steer(other, "REPROVED");
    const theirs = await shownOf(await proposed(decision(other, "REPROVED")));
    expect(theirs.map(({ name }) => name)).toContain("standingBy");
  });

  it("sends no decision when a term was blocked after the proposal", async () => {
    const kycUUID = await decidedCase();
    const id = await proposed(decision(kycUUID, "REPROVED"));
    const { reasons, ...rules } = STANDARD_RULES;
    const reworded = reasons.map((reason) => ({ ...reason, text: reason.text.replace("fontes", "bases") }));
    const by = await admin();
    await db.transaction((tx) =>
      changeCaseRules(tx, by, { ...rules, reasons: reworded, stoppedWords: ["fontes"], version: 0 }),
    );
    await expect(authorising(id)).resolves.toEqual({ state: "FAILED", code: "reason-stopped" });
    expect(await providerStatus(service, kycUUID)).toBe("REPROVED");
  });
});

const note = () => actorOf("compliance", staffId, "kyc:note");

async function put(kycUUID: string): Promise<string> {
  const fileId = randomUUID();
  const bytes = Buffer.from(`%PDF-1.7 ${fileId}`);
  await addFile(note(), caseTarget("aurora", kycUUID), { fileId, name: "contrato.pdf", bytes });
  return fileId;
}
const removing = (id: string, fileId: string) => removeFromCase(note(), { id, fileId, reason: "engano" });

describe("the files that a proposal stands on", () => {
  const held = { kind: "conflict", details: { code: "casework-held" } };

  it("locks the files of a proposal, with their hashes, until it is withdrawn", async () => {
    const kycUUID = await decidedCase();
    const fileId = await put(kycUUID);
    const id = await proposed(decision(kycUUID, "REPROVED"));
    await expect(removing(kycUUID, fileId)).rejects.toMatchObject(held);
    const row = await findApproval(db, { tenant: "aurora", id });
    const shown = row && (await readSnapshot(row))?.shown.facts.find(({ name }) => name === "files");
    expect(shown?.after).toMatchObject({ text: expect.stringMatching(/^contrato\.pdf · SHA-256 [\da-f]{64}$/) });
    await withdraw(actorOf("compliance", staffId, "approvals:read"), { approvalId: id });
    await expect(removing(kycUUID, fileId)).resolves.toBeNull();
  });

  it("stops the decision when a file was added or removed", async () => {
    const more = await decidedCase();
    await put(more);
    const first = await proposed(decision(more, "REPROVED"));
    await put(more);
    await expect(authorising(first)).resolves.toEqual({ state: "FAILED", code: "evidence-changed" });
    const less = await decidedCase();
    await put(less);
    const second = await proposed(decision(less, "REPROVED"));
    await db.update(caseworkFile).set({ removedAt: new Date(), removedBy: staffId });
    await expect(authorising(second)).resolves.toEqual({ state: "FAILED", code: "evidence-changed" });
    expect(await providerStatus(service, less)).toBe("REPROVED");
  });

  it("sends the decision when its files are unchanged", async () => {
    const kycUUID = await decidedCase();
    await put(kycUUID);
    const id = await proposed(decision(kycUUID, "REPROVED"));
    await expect(authorising(id)).resolves.toEqual({ state: "EXECUTED", code: null });
  });
});

const admin = async () => actorOf("admin", await givenStaff(db, "admin"), "settings:manage");

describe("the policy on decisions", () => {
  const policy = { kind: "kyc.decision", version: 0, amount: null, expiresAfterHours: 24 } as const;

  it("forbids a second decision on a final case when set to never", async () => {
    await givenPolicy(await admin(), { ...policy, rule: "never" });
    const kycUUID = await decidedCase();
    await expect(ordering(decision(kycUUID, "REPROVED"))).resolves.toMatchObject({ state: "DECIDED" });
  });

  it("asks a second person about the first decision when set to always", async () => {
    await givenPolicy(await admin(), { ...policy, rule: "always" });
    await expect(ordering(decision(await ownCase(), "PROCESSING"))).resolves.toMatchObject({
      state: "PROPOSED",
    });
  });
});
