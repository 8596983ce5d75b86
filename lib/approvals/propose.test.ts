import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { bankIntent } from "@/lib/bank/schema";
import { auditEvent } from "@/lib/store/schema";
import { actorOf } from "@/lib/testing";
import { orderInternalTransfer } from "@/lib/transfers/approvals";
import { internalOrder } from "@/lib/transfers/testing";
import { comment } from "./records";
import { approval, approvalComment } from "./schema";
import { approvalTrail, givenDesk } from "./testing";
import { refuse, withdraw } from "./verdict";
import { approvalsWatch } from "./watch";

let desk: Awaited<ReturnType<typeof givenDesk>>;
beforeEach(async () => {
  desk = await givenDesk();
});

describe("a proposal", () => {
  it("sends nothing until a second person authorises it, then once, with both on record", async () => {
    const order = desk.big();
    const id = await desk.propose(order);
    expect(await desk.paid()).toBe(0);
    await expect(desk.authorising(id)).resolves.toEqual({ state: "EXECUTED", code: null });
    expect(await desk.paid()).toBe(1);
    const [intent] = await desk.db.select().from(bankIntent);
    const [row] = await desk.db.select().from(approval);
    expect(intent).toMatchObject({ id: order.intentId, actor: desk.makerId, state: "DONE", bodyHash: row?.bodyHash });
    expect(row).toMatchObject({ makerId: desk.makerId, deciderId: desk.approverId });
    expect(await approvalTrail(desk.db)).toEqual([
      "approval.propose DONE",
      "approval.authorise DONE",
      "approval.execute DONE",
    ]);
  });

  it("of the same order again is the same proposal; of another order under its intent none", async () => {
    const order = desk.big();
    const id = await desk.propose(order);
    expect(await desk.propose(order)).toBe(id);
    const other = { ...order, amount: "6000.00" };
    await expect(orderInternalTransfer(desk.maker, other)).rejects.toMatchObject({
      details: { code: "intent-reused" },
    });
    expect(await desk.db.$count(approval)).toBe(1);
  });

  it("stands before its intent: a small order of the same intent passes neither before nor after", async () => {
    const order = desk.big();
    await desk.propose(order);
    const small = { ...order, amount: "10.00" };
    await expect(orderInternalTransfer(desk.maker, small)).rejects.toMatchObject({
      details: { code: "intent-reused" },
    });
    expect(desk.sent.sent).toBe(0);
  });

  it("made fifty times at once is one", async () => {
    const order = desk.big();
    const ids = await Promise.all(Array.from({ length: 50 }, () => desk.propose(order)));
    expect(new Set(ids).size).toBe(1);
    expect(await desk.db.$count(approval)).toBe(1);
  });

  it("keeps neither what is desk.sent nor what was said in clear", async () => {
    const id = await desk.propose(internalOrder(desk.parties, { amount: "5000.00", description: "Para Maria" }));
    const commentId = randomUUID();
    const reader = actorOf("approver", desk.approverId, "approvals:read");
    await comment(reader, { approvalId: id, commentId, text: "Maria confirmou" });
    await refuse(desk.approver, { approvalId: id, reason: "Maria não pediu" });
    const kept = JSON.stringify([await desk.db.select().from(approval), await desk.db.select().from(approvalComment)]);
    expect(kept).not.toMatch(/Maria/);
  });

  it("that was withdrawn or refused is never carried out", async () => {
    const own = actorOf("finance", desk.makerId, "approvals:read");
    const [withdrawn, refused] = [await desk.propose(), await desk.propose()];
    await withdraw(own, { approvalId: withdrawn });
    await refuse(desk.approver, { approvalId: refused, reason: "Sem pedido do cliente" });
    for (const id of [withdrawn, refused]) {
      await expect(desk.authorising(id)).rejects.toMatchObject({ details: { code: "approval-ended" } });
    }
    expect(desk.sent.sent).toBe(0);
  });

  it("is withdrawn by nobody but who made it", async () => {
    const id = await desk.propose();
    const other = actorOf("approver", desk.approverId, "approvals:read");
    await expect(withdraw(other, { approvalId: id })).rejects.toMatchObject({
      details: { code: "approval-not-yours" },
    });
    expect(await desk.stateOf(id)).toEqual(["PENDING", null]);
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
    const id = await desk.propose();
    await refuse(desk.approver, { approvalId: id, reason: "Sem pedido" });
    await expect(desk.db.execute(change)).rejects.toThrow(/Failed query/);
    expect(await desk.stateOf(id)).toEqual(["REFUSED", null]);
  });
});

describe("what nobody decided about in time", () => {
  it("ends, once, and is on record", async () => {
    const id = await desk.propose();
    await desk.tamper(sql`update approval set expires_at = clock_timestamp()`);
    await approvalsWatch.sweep("aurora");
    await approvalsWatch.sweep("aurora");
    expect(await desk.stateOf(id)).toEqual(["EXPIRED", null]);
    const ends = await desk.db.select().from(auditEvent).where(eq(auditEvent.code, "approval.expire"));
    expect(ends).toHaveLength(1);
    expect(desk.sent.sent).toBe(0);
  });
});
