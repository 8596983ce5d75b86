import { APPROVABLE_WRITES } from "@/lib/writes/approvable";
import { OUTCOME_NAMES, type OutcomeName, orderedWith } from "@/lib/permission/writes";
import { SENT } from "@/lib/sent-writes";
import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { lookUp } from "@/lib/accounts/look-up";
import { accountsWatch } from "@/lib/accounts/watch";
import { approval } from "@/lib/db/tables/approvals";
import { approvalTrail, type SessionScope, givenFixture } from "@/test/support/approvals";
import { authorise } from "@/lib/approvals/decide";
import { approvalsWatch } from "@/lib/boot/approvals-watch";
import { watchActor } from "@/lib/permission/grant";
import type { Role } from "@/lib/permission/permission";
import { contradictIntent } from "@/lib/provider/intents/intent-record";
import { providerIntent } from "@/lib/db/tables/provider";
import { kycCase, kycDecision } from "@/lib/db/tables/kyc";
import { startCase } from "@/lib/kyc/start";
import { readStartFormState } from "@/lib/kyc/start-form";
import { personOrder } from "@/test/support/kyc";
import { kycWatch } from "@/lib/kyc/watch";
import { requestAccount } from "@/lib/onboarding/create";
import { contradictRequests } from "@/lib/onboarding/create-reconcile";
import { accountOrder } from "@/test/support/onboarding";
import { auditEvent } from "@/lib/db/tables/audit";
import { actorOf, givenStaff } from "@/test/support/console";
import { internalOrder, transferInternal } from "@/test/support/transfers";
import { sweepOnce } from "@/lib/watch/watch";
import { STRANGERS } from "@/test/support/service/crypto";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/test/support/auth";
import { listUnknownOutcomes } from "./queries";
import { excludeCandidate, orderOutcome } from "./end-outcome";
import { outcomeConclusion } from "@/lib/db/tables/outcomes";
import { concluding, happened, notHappened, writesOf } from "@/test/support/outcomes";

let fixture: SessionScope;
let staffId = "";
beforeEach(async () => {
  fixture = await givenFixture();
  staffId = fixture.makerId;
});

const concluder = (role: Role) => actorOf(role, staffId, "outcomes:end");

const writes = () => writesOf(fixture, staffId);

async function lose(name: OutcomeName): Promise<string> {
  const intentId = randomUUID();
  fixture.sent.requestsLost = 100;
  await expect(writes()[name].order(intentId)).rejects.toMatchObject({ kind: "unavailable" });
  fixture.sent.requestsLost = 0;
  // A day later the key is no longer retried.
  await fixture.db.update(providerIntent).set({ nextTryAt: null }).where(eq(providerIntent.id, intentId));
  return intentId;
}

const intentOf = async (id: string) =>
  (await fixture.db.select().from(providerIntent).where(eq(providerIntent.id, id)))[0];
const trailOf = async (id: string) => {
  const rows = await fixture.db.select().from(auditEvent).where(eq(auditEvent.intentId, id)).orderBy(auditEvent.seq);
  return rows.map(({ code, outcome }) => `${code} ${outcome}`);
};
const MONEY: readonly OutcomeName[] = ["account.close", "transfer.internal", "transfer.external", "crypto.transfer"];

async function readAs(role: Role) {
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, roles: [role] }));
  return listUnknownOutcomes();
}

async function conclude(name: OutcomeName, order: Parameters<typeof orderOutcome>[1]): Promise<string> {
  const answer = await orderOutcome(concluder(writes()[name].role), order);
  if (answer.state === "ENDED") return "ENDED";
  expect((await intentOf(order.endedId))?.state).toBe("UNKNOWN");
  const { state } = await authorise(APPROVABLE_WRITES, fixture.approver, { approvalId: answer.approvalId });
  return state;
}

describe.each(OUTCOME_NAMES)("%s", (name) => {
  beforeEach(async () => {
    staffId = MONEY.includes(name) ? fixture.makerId : await givenStaff(fixture.db, writes()[name].role);
  });

  it.each([
    ["HAPPENED", "DONE"],
    ["NOT_HAPPENED", "REFUSED"],
  ] as const)("records a person's settlement as %s, and keeps %s from then on", async (outcome, state) => {
    const id = await lose(name);
    expect(await conclude(name, concluding(id, outcome))).toBe(MONEY.includes(name) ? "EXECUTED" : "ENDED");
    expect(await intentOf(id)).toMatchObject({ state, endedBy: staffId, code: "ended-by-person" });
    expect((await trailOf(id)).slice(-2)[1]).toBe("outcomes.end DONE");
    const [said] = await fixture.db.select().from(outcomeConclusion);
    expect(said).toMatchObject({ intentId: id, outcome, source: "provider-support", reference: "ticket 8731-B" });
    expect(said?.reasonSealed).not.toContain("atendimento");
    await expect(orderOutcome(concluder(writes()[name].role), happened(id))).rejects.toMatchObject({
      details: { code: "outcome-known" },
    });
  });

  it("is done once the service has carried it out", async () => {
    const id = randomUUID();
    await writes()[name].order(id);
    expect((await intentOf(id))?.state).toBe("DONE");
  });

  it("is nobody's to end who may not order it", async () => {
    const id = await lose(name);
    const stranger = writes()[name].role === "compliance" ? "finance" : "compliance";
    const may = name === "account.create";
    const ending = orderOutcome(concluder(may ? "finance" : stranger), notHappened(id));
    await expect(ending).rejects.toMatchObject({ kind: "forbidden", details: { code: orderedWith(name) } });
    expect((await intentOf(id))?.state).toBe("UNKNOWN");
  });
});

it("asks a second person for money, other than the write's maker", async () => {
  const id = await lose("transfer.internal");
  const answer = await orderOutcome(concluder("finance"), notHappened(id));
  expect([answer.state, (await intentOf(id))?.state]).toEqual(["PROPOSED", "UNKNOWN"]);
  const own = actorOf("approver", staffId, "approvals:authorize");
  const approvalId = answer.state === "PROPOSED" ? answer.approvalId : "";
  await expect(authorise(APPROVABLE_WRITES, own, { approvalId })).rejects.toMatchObject({ kind: "forbidden" });
  await expect(orderOutcome(concluder("finance"), notHappened(id))).rejects.toMatchObject({
    details: { code: "approval-open" },
  });
});

it("refuses to settle a transfer that is still being checked", async () => {
  const id = await lose("transfer.internal");
  await fixture.db.update(providerIntent).set({ nextTryAt: new Date() }).where(eq(providerIntent.id, id));
  await expect(orderOutcome(concluder("finance"), notHappened(id))).rejects.toMatchObject({
    details: { code: "outcome-known" },
  });
});

it("lets people settle a held transfer only after its time is over", async () => {
  const id = await lose("transfer.internal");
  const heldUntil = (pendingExpiresAt: Date) =>
    fixture.db.update(providerIntent).set({ state: "HELD", pendingExpiresAt }).where(eq(providerIntent.id, id));
  await heldUntil(new Date(Date.now() + 60_000));
  await expect(orderOutcome(concluder("finance"), happened(id))).rejects.toMatchObject({ kind: "conflict" });
  await heldUntil(new Date(Date.now() - 1_000));
  await expect(orderOutcome(concluder("finance"), happened(id))).resolves.toMatchObject({ state: "PROPOSED" });
});

it("counts what is in flight and held in time, of what the reader may order", async () => {
  const put = async (name: OutcomeName, set: Partial<typeof providerIntent.$inferInsert>) => {
    const id = await lose(name);
    const isIt = eq(providerIntent.id, id);
    await fixture.db.update(providerIntent).set(set).where(isIt);
    return isIt;
  };
  const later = new Date(Date.now() + 60_000);
  await put("transfer.internal", { state: "SENDING", sendingUntil: later });
  await put("transfer.external", { state: "HELD", pendingExpiresAt: later });
  const coins = await put("crypto.transfer", { state: "HELD", pendingExpiresAt: later });
  expect(await readAs("finance")).toMatchObject({ rows: [], underWay: { sending: 1, heldReais: 1, heldCoins: 1 } });
  expect((await readAs("compliance")).underWay).toEqual({ sending: 0, heldReais: 0, heldCoins: 0 });
  await fixture.db
    .update(providerIntent)
    .set({ pendingExpiresAt: new Date(0) })
    .where(coins);
  const { rows, underWay } = await readAs("finance");
  expect([rows.length, underWay.heldCoins]).toEqual([1, 0]);
});

async function described(name: OutcomeName) {
  const id = await lose(name);
  const [intent] = await fixture.db.select().from(providerIntent).where(eq(providerIntent.id, id));
  if (intent === undefined) throw new Error(`nothing is known of ${name}`);
  return SENT[name][0].settle.describe(fixture.db, intent);
}

describe("an order whose outcome nobody knows", () => {
  it("shows a TED's amount and its payee, masked", async () => {
    const { amount, destination } = await described("transfer.external");
    expect(amount).toBe("99.90");
    expect(destination).toMatch(/^J••• L•••, /);
  });

  it("shows the amount and account of an internal transfer", async () => {
    expect(await described("transfer.internal")).toMatchObject({
      amount: "10.00",
      destination: fixture.parties[1].accountId,
    });
  });

  it("shows where coins go, how many and which", async () => {
    expect(await described("crypto.transfer")).toMatchObject({
      destination: STRANGERS.ETHEREUM,
      coins: { amount: "1.5", asset: "ETH" },
    });
  });
});

describe("a provider that shows otherwise afterwards", () => {
  beforeEach(async () => {
    staffId = await givenStaff(fixture.db, "compliance");
  });

  it("opens an incident for a decision, which a person settles again", async () => {
    const id = await lose("kyc.decision");
    await orderOutcome(concluder("compliance"), notHappened(id));
    const [decided] = await fixture.db.select().from(kycDecision).where(eq(kycDecision.intentId, id));
    const late = { status: "APPROVED", changedAt: new Date(Date.now() + 1_000) } as const;
    await fixture.db
      .update(kycCase)
      .set(late)
      .where(eq(kycCase.kycUUID, decided?.kycUUID ?? ""));
    const { service } = fixture;
    const body = { kycUUID: decided?.kycUUID, decision: "APPROVED", reason: "x" };
    await service.send("POST", "/v1/kyc/manual-decision", { body });
    await sweepOnce(kycWatch, "aurora");
    await sweepOnce(kycWatch, "aurora");
    expect((await intentOf(id))?.contradictedAt).toBeInstanceOf(Date);
    expect((await trailOf(id)).filter((one) => one === "outcomes.contradict UNKNOWN")).toHaveLength(1);
    await orderOutcome(concluder("compliance"), happened(id));
    expect(await intentOf(id)).toMatchObject({ state: "DONE", contradictedAt: null });
  });

  it("opens an incident for a start when its case appears after all", async () => {
    const order = personOrder();
    fixture.sent.losses = 1;
    await expect(startCase(actorOf("compliance", staffId, "kyc:start"), order)).rejects.toMatchObject({
      kind: "unavailable",
    });
    await orderOutcome(concluder("compliance"), notHappened(order.intentId));
    await sweepOnce(kycWatch, "aurora");
    expect(await trailOf(order.intentId)).toContain("outcomes.contradict UNKNOWN");
  });

  it("opens an incident for a closing when the account proves open", async () => {
    staffId = fixture.makerId;
    const id = await lose("account.close");
    expect(await conclude("account.close", happened(id))).toBe("EXECUTED");
    await sweepOnce(accountsWatch, "aurora");
    expect(await trailOf(id)).toContain("outcomes.contradict UNKNOWN");
    expect(await intentOf(id)).toMatchObject({ state: "DONE", contradictedAt: expect.any(Date) });
  });

  it("opens an incident for an account when its onboarding appears after all", async () => {
    staffId = await givenStaff(fixture.db, "support");
    const order = accountOrder();
    fixture.sent.losses = 1;
    await expect(requestAccount(actorOf("support", staffId, "onboarding:create"), order)).rejects.toMatchObject({
      kind: "unavailable",
    });
    await orderOutcome(concluder("support"), notHappened(order.intentId));
    await contradictRequests(fixture.db, watchActor("onboarding", "aurora", "onboarding:read"));
    expect(await trailOf(order.intentId)).not.toContain("outcomes.contradict UNKNOWN");
    await lookUp(actorOf("support", staffId, "accounts:read"), { query: order.person.documentNumber });
    await contradictRequests(fixture.db, watchActor("onboarding", "aurora", "onboarding:read"));
    expect(await trailOf(order.intentId)).toContain("outcomes.contradict UNKNOWN");
  });

  it("opens an incident on a late answer, and keeps the recorded outcome", async () => {
    staffId = fixture.makerId;
    const id = randomUUID();
    const { answered, release } = fixture.sent.holdNext();
    const sending = transferInternal(fixture.maker, internalOrder(fixture.parties, { intentId: id, amount: "10.00" }));
    await answered;
    await fixture.db.update(providerIntent).set({ state: "UNKNOWN", nextTryAt: null }).where(eq(providerIntent.id, id));
    expect(await conclude("transfer.internal", notHappened(id))).toBe("EXECUTED");
    release();
    await expect(sending).rejects.toMatchObject({ kind: "unavailable" });
    expect(await trailOf(id)).toContain("outcomes.contradict UNKNOWN");
    expect(await intentOf(id)).toMatchObject({ state: "REFUSED", contradictedAt: expect.any(Date) });
  });

  it("fails the proposal that the first outcome marked as executed", async () => {
    staffId = fixture.makerId;
    const approvalId = await fixture.propose();
    fixture.sent.requestsLost = 100;
    expect(await fixture.authorising(approvalId)).toMatchObject({ state: "UNKNOWN" });
    fixture.sent.requestsLost = 0;
    const [pendingApproval] = await fixture.db.select().from(approval).where(eq(approval.id, approvalId));
    const id = pendingApproval?.intentId ?? "";
    await fixture.db.update(providerIntent).set({ nextTryAt: null }).where(eq(providerIntent.id, id));
    await conclude("transfer.internal", happened(id));
    await sweepOnce(approvalsWatch, "aurora");
    expect(await fixture.stateOf(approvalId)).toEqual(["EXECUTED", "ended-by-person"]);
    const [{ intent: kind }] = SENT["transfer.internal"];
    await fixture.db.transaction((tx) =>
      contradictIntent(tx, { intent: { tenant: "aurora", id }, kind, by: "watch:transfers" }),
    );
    const second = await orderOutcome(concluder("finance"), notHappened(id));
    const agreedTo = second.state === "PROPOSED" ? second.approvalId : "";
    await authorise(APPROVABLE_WRITES, fixture.approver, { approvalId: agreedTo });
    await sweepOnce(approvalsWatch, "aurora");
    expect(await fixture.stateOf(approvalId)).toEqual(["FAILED", "ended-by-person"]);
    await sweepOnce(approvalsWatch, "aurora");
    expect((await approvalTrail(fixture.db)).filter((one) => one.startsWith("approval.execute"))).toHaveLength(5);
  });

  it("opens no incident when nobody had settled it", async () => {
    const id = await lose("kyc.decision");
    const by = "watch:kyc";
    const [{ intent: kind }] = SENT["kyc.decision"];
    await fixture.db.transaction((tx) => contradictIntent(tx, { intent: { tenant: "aurora", id }, kind, by }));
    expect((await intentOf(id))?.contradictedAt).toBeNull();
  });
});

it("rules out a wrong candidate by name, and no other", async () => {
  staffId = await givenStaff(fixture.db, "compliance");
  const actor = actorOf("compliance", staffId, "kyc:start");
  const order = personOrder();
  fixture.sent.losses = 1;
  await expect(startCase(actor, order)).rejects.toMatchObject({ kind: "unavailable" });
  const { type: _t, intentId, seen: _s, ...body } = order;
  await fixture.service.send("POST", "/v1/kyc/person", { body });
  await sweepOnce(kycWatch, "aurora");
  const candidates = async () => (await readStartFormState(actor, "PF")).unconfirmed[0]?.candidates ?? [];
  const [wrong, right] = await candidates();
  const exclude = (candidate: string) => excludeCandidate(concluder("compliance"), { intentId, candidate });
  await expect(exclude("another")).rejects.toMatchObject({ details: { code: "outcome-candidate" } });
  await exclude(wrong?.kycUUID ?? "");
  expect(await candidates()).toEqual([right]);
  expect(await trailOf(intentId)).toContain("outcomes.exclude DONE");
  await sweepOnce(kycWatch, "aurora");
  expect((await intentOf(intentId))?.state).toBe("DONE");
});

it("keeps orders older than a month for people to settle", async () => {
  staffId = await givenStaff(fixture.db, "compliance");
  const id = await lose("kyc.start");
  const longAgo = sql`clock_timestamp() - interval '90 days'`;
  await fixture.db
    .update(providerIntent)
    .set({ createdAt: longAgo, firstSentAt: longAgo })
    .where(eq(providerIntent.id, id));
  await fixture.db.execute(sql`update kyc_start set created_at = clock_timestamp() - interval '90 days'`);
  const { unconfirmed } = await readStartFormState(actorOf("compliance", staffId, "kyc:start"), "PF");
  expect(unconfirmed.map(({ intentId }) => intentId)).toEqual([id]);
});

it("refuses another tenant's", async () => {
  const id = await lose("transfer.internal");
  await fixture.tamper(sql`update bank_intent set tenant = 'boreal' where id = ${id}`);
  await expect(orderOutcome(concluder("finance"), notHappened(id))).rejects.toMatchObject({ kind: "not-found" });
  const isIt = and(eq(providerIntent.id, id), eq(providerIntent.state, "UNKNOWN"));
  expect(await fixture.db.$count(providerIntent, isIt)).toBe(1);
});
