import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { providerIntent } from "@/lib/db/tables/provider";
import { auditEvent } from "@/lib/db/tables/audit";
import { actorOf } from "@/test/support/console";
import { internalOrder, orderInternalTransfer } from "@/test/support/transfers";
import { comment } from "./comment";
import { approval, approvalComment } from "@/lib/db/tables/approvals";
import { approvalTrail, givenFixture } from "@/test/support/approvals";
import { refuseRequest } from "./decide";
import { withdraw } from "./withdraw";
import { approvalsWatch } from "@/lib/boot/approvals-watch";

let fixture: Awaited<ReturnType<typeof givenFixture>>;
beforeEach(async () => {
  fixture = await givenFixture();
});

describe("a proposal", () => {
  it("sends nothing until authorised, then sends once with both people on record", async () => {
    const order = fixture.big();
    const id = await fixture.propose(order);
    expect(await fixture.paid()).toBe(0);
    await expect(fixture.authorising(id)).resolves.toEqual({ state: "EXECUTED", code: null });
    expect(await fixture.paid()).toBe(1);
    const [intent] = await fixture.db.select().from(providerIntent);
    const [row] = await fixture.db.select().from(approval);
    expect(intent).toMatchObject({
      id: order.intentId,
      actor: fixture.makerId,
      state: "DONE",
      bodyHash: row?.bodyHash,
    });
    expect(row).toMatchObject({ makerId: fixture.makerId, deciderId: fixture.approverId });
    expect(await approvalTrail(fixture.db)).toEqual([
      "approval.propose DONE",
      "approval.authorise DONE",
      "approval.execute DONE",
    ]);
  });

  it("reuses a proposal for the same order and refuses another under its intent", async () => {
    const order = fixture.big();
    const id = await fixture.propose(order);
    expect(await fixture.propose(order)).toBe(id);
    const other = { ...order, amount: "6000.00" };
    await expect(orderInternalTransfer(fixture.maker, other)).rejects.toMatchObject({
      details: { code: "intent-reused" },
    });
    expect(await fixture.db.$count(approval)).toBe(1);
  });

  it("refuses a small order under a proposal's intent, and sends nothing", async () => {
    const order = fixture.big();
    await fixture.propose(order);
    const small = { ...order, amount: "10.00" };
    await expect(orderInternalTransfer(fixture.maker, small)).rejects.toMatchObject({
      details: { code: "intent-reused" },
    });
    expect(fixture.sent.sent).toBe(0);
  });

  it("creates one proposal for fifty concurrent requests", async () => {
    const order = fixture.big();
    const ids = await Promise.all(Array.from({ length: 50 }, () => fixture.propose(order)));
    expect(new Set(ids).size).toBe(1);
    expect(await fixture.db.$count(approval)).toBe(1);
  });

  it("stores neither a proposal's order nor its comments in clear", async () => {
    const id = await fixture.propose(internalOrder(fixture.parties, { amount: "5000.00", description: "Para Maria" }));
    const commentId = randomUUID();
    const reader = actorOf("approver", fixture.approverId, "approvals:read");
    await comment(reader, { approvalId: id, commentId, text: "Maria confirmou" });
    await refuseRequest(fixture.approver, { approvalId: id, reason: "Maria não pediu" });
    const stored = JSON.stringify([
      await fixture.db.select().from(approval),
      await fixture.db.select().from(approvalComment),
    ]);
    expect(stored).not.toMatch(/Maria/);
  });

  it("never runs a proposal after withdrawal or refusal", async () => {
    const own = actorOf("finance", fixture.makerId, "approvals:read");
    const withdrawn = await fixture.propose();
    const refused = await fixture.propose(internalOrder(fixture.parties, { amount: "5000.01" }));
    await withdraw(own, { approvalId: withdrawn });
    await refuseRequest(fixture.approver, { approvalId: refused, reason: "Sem pedido do cliente" });
    for (const id of [withdrawn, refused]) {
      await expect(fixture.authorising(id)).rejects.toMatchObject({ details: { code: "approval-ended" } });
    }
    expect(fixture.sent.sent).toBe(0);
  });

  it("lets only its maker withdraw a proposal", async () => {
    const id = await fixture.propose();
    const other = actorOf("approver", fixture.approverId, "approvals:read");
    await expect(withdraw(other, { approvalId: id })).rejects.toMatchObject({
      details: { code: "approval-not-yours" },
    });
    expect(await fixture.stateOf(id)).toEqual(["PENDING", null]);
  });
});

describe("the store", () => {
  it.each([
    ["changes what was proposed", sql`update approval set object = 'account:other'`],
    ["forgets a proposal", sql`delete from approval`],
    ["forgets all of them", sql`truncate approval cascade`],
    ["goes back", sql`update approval set state = 'PENDING' where state = 'REFUSED'`],
    ["lets somebody else have decided", sql`update approval set decider_id = null`],
  ])("never %s", async (_, change) => {
    const id = await fixture.propose();
    await refuseRequest(fixture.approver, { approvalId: id, reason: "Sem pedido" });
    await expect(fixture.db.execute(change)).rejects.toThrow(/Failed query/);
    expect(await fixture.stateOf(id)).toEqual(["REFUSED", null]);
  });
});

describe("what nobody decided about in time", () => {
  it("expires an undecided proposal once, and audits it", async () => {
    const id = await fixture.propose();
    await fixture.tamper(sql`update approval set expires_at = clock_timestamp()`);
    await approvalsWatch.sweep("aurora");
    await approvalsWatch.sweep("aurora");
    expect(await fixture.stateOf(id)).toEqual(["EXPIRED", null]);
    const ends = await fixture.db.select().from(auditEvent).where(eq(auditEvent.code, "approval.expire"));
    expect(ends).toHaveLength(1);
    expect(fixture.sent.sent).toBe(0);
  });
});
