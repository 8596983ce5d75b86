import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { staff } from "@/lib/db/tables/staff";
import { actorOf, givenStaff } from "@/test/support/console";
import { internalOrder } from "@/test/support/transfers";
import { approval } from "@/lib/db/tables/approvals";
import { approvalTrail, givenFixture, giveRoles } from "@/test/support/approvals";

let fixture: Awaited<ReturnType<typeof givenFixture>>;
beforeEach(async () => {
  fixture = await givenFixture();
});

describe("an authorisation is refused, on record, with nothing sent", () => {
  it("refuses to authorise one's own proposal, whatever other roles one holds", async () => {
    const id = await fixture.propose();
    await giveRoles(fixture.db, fixture.makerId, "finance", "approver");
    await expect(
      fixture.authorising(id, actorOf("approver", fixture.makerId, "approvals:authorize")),
    ).rejects.toMatchObject({
      kind: "forbidden",
      details: { code: "approval-own" },
    });
    expect(await fixture.stateOf(id)).toEqual(["PENDING", null]);
    expect(await approvalTrail(fixture.db)).toContain("approval.authorise REFUSED");
    expect(fixture.sent.sent).toBe(0);
  });

  it("refuses one's own proposal in the store, too", async () => {
    const id = await fixture.propose();
    const own = fixture.db
      .update(approval)
      .set({ state: "AUTHORISED", deciderId: fixture.makerId })
      .where(eq(approval.id, id));
    await expect(own).rejects.toMatchObject({ cause: { message: expect.stringContaining("approval_never_ones_own") } });
  });

  it("refuses to authorise an expired proposal and ends it", async () => {
    const id = await fixture.propose();
    await fixture.tamper(sql`update approval set expires_at = clock_timestamp() - interval '1 second'`);
    await expect(fixture.authorising(id)).rejects.toMatchObject({ details: { code: "approval-expired" } });
    expect(await fixture.stateOf(id)).toEqual(["EXPIRED", "approval-expired"]);
    expect(fixture.sent.sent).toBe(0);
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
  ])("refuses a proposal that was given %s in the database", async (_, change) => {
    await givenStaff(fixture.db, "finance");
    const id = await fixture.propose();
    await fixture.tamper(change);
    await expect(fixture.authorising(id)).rejects.toMatchObject({ details: { code: "approval-edited" } });
    expect(await fixture.stateOf(id)).toEqual(["REFUSED", "approval-edited"]);
    expect(await approvalTrail(fixture.db)).toContain("approval.authorise REFUSED");
    expect(fixture.sent.sent).toBe(0);
  });

  it("refuses a proposal with another one's sealed text", async () => {
    const id = await fixture.propose();
    const other = await fixture.propose(internalOrder(fixture.parties, { amount: "9000.00" }));
    await fixture.tamper(sql`update approval set frozen_sealed = (select frozen_sealed from approval where id = ${other})
      where id = ${id}`);
    await expect(fixture.authorising(id)).rejects.toMatchObject({ details: { code: "approval-edited" } });
    expect(fixture.sent.sent).toBe(0);
  });

  it("refuses an authorisation by a person who lost the role after signing in", async () => {
    const id = await fixture.propose();
    await giveRoles(fixture.db, fixture.approverId, "auditor");
    await expect(fixture.authorising(id)).rejects.toMatchObject({ kind: "forbidden" });
    expect(await fixture.stateOf(id)).toEqual(["PENDING", null]);
    expect(fixture.sent.sent).toBe(0);
  });

  it.each([
    ["lost the role", () => giveRoles(fixture.db, fixture.makerId, "auditor")],
    [
      "was disabled",
      async () =>
        void (await fixture.db.update(staff).set({ disabledAt: new Date() }).where(eq(staff.id, fixture.makerId))),
    ],
  ])("refuses a proposal whose desk.maker %s", async (_, change) => {
    const id = await fixture.propose();
    await change();
    await expect(fixture.authorising(id)).rejects.toMatchObject({ details: { code: "maker-lost-right" } });
    expect(await fixture.stateOf(id)).toEqual(["REFUSED", "maker-lost-right"]);
    expect(fixture.sent.sent).toBe(0);
  });

  it("refuses an authorisation at another tenant", async () => {
    const id = await fixture.propose();
    await fixture.tamper(sql`update approval set tenant = 'boreal'`);
    await expect(fixture.authorising(id)).rejects.toMatchObject({ kind: "not-found" });
  });
});
