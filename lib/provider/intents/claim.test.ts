import { NO_LIMITS } from "@/lib/permission/limits";
import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { closeNow, proposeClosure } from "@/lib/accounts/close";
import { lookUp } from "@/lib/accounts/look-up";
import { readClosing } from "@/lib/accounts/closure";
import { readAccountTimeline } from "@/lib/accounts/timeline";
import { agree } from "@/lib/approvals/decide";
import { withdraw } from "@/lib/approvals/withdraw";
import { policyOf } from "@/lib/approvals/policy";
import { orderPolicyChange } from "@/lib/approvals/change-policy";
import { staffInvitation, staffMembership } from "@/lib/db/tables/auth";
import { getSession } from "@/lib/auth/session";
import { providerIntent } from "@/lib/db/tables/provider";
import { orderOutcome } from "@/lib/outcomes/end-outcome";
import { requestAccount } from "@/lib/onboarding/create";
import { orderInvitation, orderRoles } from "@/lib/staff/approvals";
import { getTransfer } from "@/lib/transfers/queries";
import { givenClosing, PROOF } from "@/test/support/accounts";
import { givenFixture, givenPolicy } from "@/test/support/approvals";
import { sessionOf } from "@/test/support/auth";
import { actorOf, givenStaff } from "@/test/support/console";
import { accountOrder } from "@/test/support/onboarding";
import { happened } from "@/test/support/outcomes";
import { internalOrder, openAccount, orderInternalTransfer } from "@/test/support/transfers";

let fixture: Awaited<ReturnType<typeof givenFixture>>;
beforeEach(async () => {
  fixture = await givenFixture();
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: fixture.makerId, roles: ["finance"] }));
});

const reused = { kind: "conflict", details: { code: "intent-reused" } };
const internal = (changes: Parameters<typeof internalOrder>[1] = {}) =>
  orderInternalTransfer(fixture.maker, internalOrder(fixture.parties, changes));

/** The id of a transfer without approval, which anybody can read in the record. */
async function sentId(amount = "10.00"): Promise<string> {
  const intentId = randomUUID();
  await expect(internal({ intentId, amount })).resolves.toMatchObject({ state: "DONE" });
  return intentId;
}

/** Two administrators: orders of one wait for the other. */
async function givenAdmin(): Promise<string> {
  await givenStaff(fixture.db, "admin");
  return givenStaff(fixture.db, "admin");
}

const NEVER = { kind: "transfer.internal", version: 0, rule: "never", amount: null, expiresAfterHours: 24 } as const;

/** Only the effect counts, not the result. */
const tried = (attack: Promise<unknown>) =>
  attack.then(
    () => "done",
    (error: unknown) => error,
  );

describe("what always waits for a second person", () => {
  it("loosens no policy under the id of a sent transfer", async () => {
    const admin = actorOf("admin", await givenAdmin(), "settings:manage");
    const intentId = await sentId();
    const attack = await tried(orderPolicyChange(admin, { intentId, ...NEVER, ...NO_LIMITS }));
    expect((await policyOf(fixture.db, "aurora", "transfer.internal")).rule).toBe("above");
    expect(attack).toMatchObject(reused);
  });

  it("invites no approver under the id of a sent transfer", async () => {
    const admin = actorOf("admin", await givenAdmin(), "staff:manage");
    const order = { email: "nova@aurora.example", name: "Nova Lima", roles: ["approver" as const] };
    const attack = await tried(orderInvitation(admin, { intentId: await sentId(), ...order }));
    expect(await fixture.db.$count(staffInvitation)).toBe(0);
    expect(attack).toMatchObject(reused);
  });

  it("grants no critical role under the id of a sent transfer", async () => {
    const admin = actorOf("admin", await givenAdmin(), "staff:manage");
    const staffId = await givenStaff(fixture.db, "support");
    const raise = { staffId, roles: ["support" as const, "approver" as const], expected: ["support" as const] };
    const attack = await tried(orderRoles(admin, { intentId: await sentId(), ...raise }));
    const [held] = await fixture.db.select().from(staffMembership).where(eq(staffMembership.staffId, staffId));
    expect(held?.roles).toEqual(["support"]);
    expect(attack).toMatchObject(reused);
  });

  it("settles no lost transfer under the id of a sent transfer", async () => {
    const endedId = randomUUID();
    fixture.sent.requestsLost = 100;
    await tried(internal({ intentId: endedId }));
    fixture.sent.requestsLost = 0;
    const isIt = eq(providerIntent.id, endedId);
    await fixture.db.update(providerIntent).set({ nextTryAt: null }).where(isIt);
    const order = { ...happened(endedId), intentId: await sentId("11.00") };
    const support = actorOf("support", await givenStaff(fixture.db, "support"), "outcomes:end");
    const attack = await tried(orderOutcome(support, order));
    const [lost] = await fixture.db.select().from(providerIntent).where(isIt);
    expect(lost?.state).toBe("UNKNOWN");
    expect(attack).toMatchObject(reused);
  });

  it("gives a shared id to one of two concurrent acts", async () => {
    const staffId = await givenStaff(fixture.db, "admin");
    const intentId = randomUUID();
    const stricter = { ...NEVER, rule: "always" } as const;
    const both = await Promise.allSettled([
      internal({ intentId }),
      orderPolicyChange(actorOf("admin", staffId, "settings:manage"), { intentId, ...stricter, ...NO_LIMITS }),
    ]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: reused });
  });
});

/** A closing of the paid account, by the same person. */
async function closureOrder(intentId: string) {
  const { onBoardingId } = await openAccount(fixture.service);
  const found = await lookUp(actorOf("finance", fixture.makerId, "accounts:read"), { query: onBoardingId });
  const ref = "accountRef" in found ? found.accountRef : "";
  return { intentId, ref, userId: "user-1", reason: "A pedido do titular" };
}

const closer = () => actorOf("finance", fixture.makerId, "accounts:close");
const proposing = async (intentId: string) => proposeClosure(closer(), await closureOrder(intentId));

/** Limits only an account's day, without the default limits of a tenant. */
async function limitAccountsAlone(): Promise<void> {
  const admin = actorOf("admin", await givenStaff(fixture.db, "admin"), "settings:manage");
  const policy = { rule: "above", amount: "5000.00", expiresAfterHours: 24, version: 0 } as const;
  await givenPolicy(admin, { ...policy, kind: "transfer.internal" });
}

describe("what left alone in a day", () => {
  beforeEach(limitAccountsAlone);

  it("counts a transfer whose id also served a withdrawn closing", async () => {
    const intentId = await sentId("3000.00");
    const reader = actorOf("finance", fixture.makerId, "approvals:read");
    const attack = await tried(proposing(intentId).then(async ({ approvalId }) => withdraw(reader, { approvalId })));
    await expect(internal({ amount: "2000.00" })).resolves.toMatchObject({ state: "PROPOSED" });
    expect(attack).toMatchObject(reused);
  });

  it("names only the approval that carried a transfer", async () => {
    const intentId = await sentId("3000.00");
    const attack = await tried(proposing(intentId).then(async ({ approvalId }) => agree(fixture.approver, approvalId)));
    const record = await getTransfer(intentId);
    expect(record?.row.approvalId).toBeNull();
    expect(record?.events.map(({ kind }) => kind)).toEqual(["sent", "confirmed"]);
    expect(attack).toMatchObject(reused);
  });

  it("names the approval that carried a transfer", async () => {
    const order = internalOrder(fixture.parties, { amount: "5000.00" });
    const approvalId = await fixture.propose(order);
    await fixture.authorising(approvalId);
    const found = await fixture.db.execute(sql`select approval_id::text as id from transfer`);
    expect(z.object({ rows: z.array(z.object({ id: z.string() })) }).parse(found).rows).toEqual([{ id: approvalId }]);
    expect((await getTransfer(order.intentId))?.row.approvalId).toBe(approvalId);
  });

  it("keeps one proposal per id, whoever repeats its order", async () => {
    const order = internalOrder(fixture.parties, { amount: "5000.00" });
    await fixture.propose(order);
    const other = actorOf("finance", await givenStaff(fixture.db, "finance"), "transfers:create");
    await expect(orderInternalTransfer(other, order)).rejects.toMatchObject(reused);
    await expect(orderInternalTransfer(fixture.maker, order)).resolves.toMatchObject({ state: "PROPOSED" });
  });
});

const asking = async (intentId: string) => {
  const staffId = await givenStaff(fixture.db, "support");
  return requestAccount(actorOf("support", staffId, "onboarding:create"), accountOrder({ intentId }));
};

describe("what the provider refused", () => {
  it("keeps a refusal when an account is requested under its id", async () => {
    const intentId = randomUUID();
    const poor = [fixture.parties[1], fixture.parties[0]] as const;
    await tried(orderInternalTransfer(fixture.maker, internalOrder(poor, { intentId })));
    expect((await getTransfer(intentId))?.row.state).toBe("REFUSED");
    const attack = await tried(asking(intentId));
    expect((await getTransfer(intentId))?.row.state).toBe("REFUSED");
    expect(attack).toMatchObject(reused);
  });

  it("lets only its maker correct a refused order under its id", async () => {
    const intentId = randomUUID();
    const poor = [fixture.parties[1], fixture.parties[0]] as const;
    await tried(orderInternalTransfer(fixture.maker, internalOrder(poor, { intentId })));
    const other = actorOf("finance", await givenStaff(fixture.db, "finance"), "transfers:create");
    const corrected = internalOrder(fixture.parties, { intentId });
    await expect(orderInternalTransfer(other, corrected)).rejects.toMatchObject(reused);
    await expect(orderInternalTransfer(fixture.maker, corrected)).resolves.toMatchObject({ state: "DONE" });
    await expect(internal({ intentId, amount: "10.11" })).rejects.toMatchObject(reused);
  });

  it("asks a second person when a refused order is corrected beyond the limit", async () => {
    const intentId = randomUUID();
    const poor = [fixture.parties[1], fixture.parties[0]] as const;
    await tried(orderInternalTransfer(fixture.maker, internalOrder(poor, { intentId })));
    const approvalId = await fixture.propose(internalOrder(fixture.parties, { intentId, amount: "5000.00" }));
    await expect(fixture.authorising(approvalId)).resolves.toMatchObject({ state: "EXECUTED" });
    expect((await getTransfer(intentId))?.row).toMatchObject({ state: "CONFIRMED", approvalId });
  });

  it("closes no account when another is requested under its id", async () => {
    const closing = await givenClosing();
    await closing.allowAlone();
    const intentId = randomUUID();
    const reader = actorOf("support", closing.makerId, "accounts:read");
    await tried(closeNow(closing.maker, { ...closing.form({ intentId }), ...PROOF, code: "000000" }));
    const creator = actorOf("support", closing.makerId, "onboarding:create");
    const attack = await tried(requestAccount(creator, accountOrder({ intentId })));
    expect(await readClosing(reader, closing.ref)).toBeNull();
    const happenedTo = await readAccountTimeline(reader, closing.ref);
    expect(happenedTo.map(({ kind }) => kind)).not.toContain("closed");
    // The retention's clock starts with this.
    const ended = and(eq(providerIntent.id, intentId), eq(providerIntent.state, "DONE"));
    expect(await closing.db.$count(providerIntent, ended)).toBe(0);
    expect(attack).toMatchObject(reused);
  });
});

const Keys = z.object({ rows: z.array(z.object({ of: z.string(), to: z.string() })) });

describe("the store", () => {
  it("links every table keyed by an intent to its claim, directly or by its intent", async () => {
    const found = await fixture.db.execute(sql`
      select conrelid::regclass::text as of, confrelid::regclass::text as to from pg_constraint
      where contype = 'f' and confrelid in ('bank_intent'::regclass, 'kyc_start'::regclass, 'intent_claim'::regclass)`);
    const keys = Keys.parse(found).rows;
    const ofTable = (table: string): boolean =>
      keys.some(({ of, to }) => of === table && (to === "intent_claim" || ofTable(to)));
    const columns = await fixture.db.execute(sql`
      select table_name::text as of, '' as to from information_schema.columns
      where table_schema = 'public' and column_name = 'intent_id' and table_name <> 'audit_event'`);
    const tables = Keys.parse(columns).rows.map(({ of }) => of);
    expect(tables.length).toBeGreaterThan(8);
    expect([...tables, "bank_intent", "staff_invitation"].filter((table) => !ofTable(table))).toEqual([]);
  });

  it.each([
    ["removed", sql`delete from intent_claim`],
    ["emptied", sql`truncate intent_claim cascade`],
    ["given to another person", sql`update intent_claim set actor = 'somebody'`],
    ["given to another act", sql`update intent_claim set kind = 'policy.loosen'`],
  ])("keeps a claim from being %s", async (_, change) => {
    await sentId();
    await expect(fixture.db.execute(change)).rejects.toMatchObject({
      cause: { message: expect.stringContaining("an id keeps") },
    });
  });
});
