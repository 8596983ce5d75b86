import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { staff } from "@/lib/store/schema";
import { actorOf, givenStaff } from "@/lib/testing";
import { internalOrder } from "@/lib/transfers/testing";
import { approval } from "./schema";
import { approvalTrail, givenDesk, giveRoles } from "./testing";

let desk: Awaited<ReturnType<typeof givenDesk>>;
beforeEach(async () => {
  desk = await givenDesk();
});

describe("an authorisation is refused, on record, with nothing sent", () => {
  it("of one's own proposal, whatever other roles one holds", async () => {
    const id = await desk.propose();
    await giveRoles(desk.db, desk.makerId, "finance", "approver");
    await expect(desk.authorising(id, actorOf("approver", desk.makerId, "approvals:authorize"))).rejects.toMatchObject({
      kind: "forbidden",
      details: { code: "approval-own" },
    });
    expect(await desk.stateOf(id)).toEqual(["PENDING", null]);
    expect(await approvalTrail(desk.db)).toContain("approval.authorise REFUSED");
    expect(desk.sent.sent).toBe(0);
  });

  it("by the store itself, too, when one's own", async () => {
    const id = await desk.propose();
    const own = desk.db
      .update(approval)
      .set({ state: "AUTHORISED", deciderId: desk.makerId })
      .where(eq(approval.id, id));
    await expect(own).rejects.toMatchObject({ cause: { message: expect.stringContaining("approval_never_ones_own") } });
  });

  it("of one that is over, which ends it", async () => {
    const id = await desk.propose();
    await desk.tamper(sql`update approval set expires_at = clock_timestamp() - interval '1 second'`);
    await expect(desk.authorising(id)).rejects.toMatchObject({ details: { code: "approval-expired" } });
    expect(await desk.stateOf(id)).toEqual(["EXPIRED", "approval-expired"]);
    expect(desk.sent.sent).toBe(0);
  });

  it.each([
    ["another body", sql`update approval set body_hash = 'x'`],
    [
      "another maker",
      sql`update approval set maker_id = (select id from staff where id <> maker_id and id not in
      (select staff_id from staff_membership where 'approver' = any(roles)) limit 1)`,
    ],
    ["another object", sql`update approval set object = 'account:other'`],
    ["another intent", sql`update approval set intent_id = gen_random_uuid()`],
    ["a longer life", sql`update approval set expires_at = expires_at + interval '1 day'`],
    ["a weaker permission", sql`update approval set permission = 'kyc:read'`],
  ])("of one that was given %s in the database", async (_, change) => {
    await givenStaff(desk.db, "finance");
    const id = await desk.propose();
    await desk.tamper(change);
    await expect(desk.authorising(id)).rejects.toMatchObject({ details: { code: "approval-edited" } });
    expect(await desk.stateOf(id)).toEqual(["REFUSED", "approval-edited"]);
    expect(await approvalTrail(desk.db)).toContain("approval.authorise REFUSED");
    expect(desk.sent.sent).toBe(0);
  });

  it("of one whose sealed text is another proposal's", async () => {
    const [id, other] = [await desk.propose(), await desk.propose(internalOrder(desk.parties, { amount: "9000.00" }))];
    await desk.tamper(sql`update approval set frozen_sealed = (select frozen_sealed from approval where id = ${other})
      where id = ${id}`);
    await expect(desk.authorising(id)).rejects.toMatchObject({ details: { code: "approval-edited" } });
    expect(desk.sent.sent).toBe(0);
  });

  it("by who lost the role since they signed in", async () => {
    const id = await desk.propose();
    await giveRoles(desk.db, desk.approverId, "auditor");
    await expect(desk.authorising(id)).rejects.toMatchObject({ kind: "forbidden" });
    expect(await desk.stateOf(id)).toEqual(["PENDING", null]);
    expect(desk.sent.sent).toBe(0);
  });

  it.each([
    ["lost the role", () => giveRoles(desk.db, desk.makerId, "auditor")],
    [
      "was disabled",
      async () => void (await desk.db.update(staff).set({ disabledAt: new Date() }).where(eq(staff.id, desk.makerId))),
    ],
  ])("of one whose desk.maker %s", async (_, change) => {
    const id = await desk.propose();
    await change();
    await expect(desk.authorising(id)).rejects.toMatchObject({ details: { code: "maker-lost-right" } });
    expect(await desk.stateOf(id)).toEqual(["REFUSED", "maker-lost-right"]);
    expect(desk.sent.sent).toBe(0);
  });

  it("at another tenant", async () => {
    const id = await desk.propose();
    await desk.tamper(sql`update approval set tenant = 'boreal'`);
    await expect(desk.authorising(id)).rejects.toMatchObject({ kind: "not-found" });
  });
});
