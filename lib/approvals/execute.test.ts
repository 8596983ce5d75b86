import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { providerIntent } from "@/lib/db/tables/provider";
import { actorOf, givenStaff } from "@/test/support/console";
import { internalOrder, orderInternalTransfer } from "@/test/support/transfers";
import { approvalTrail, givenFixture } from "@/test/support/approvals";
import { agree } from "./decide";
import { withdraw } from "./withdraw";
import { approvalsWatch } from "@/lib/boot/approvals-watch";

let fixture: Awaited<ReturnType<typeof givenFixture>>;
beforeEach(async () => {
  fixture = await givenFixture();
});

describe("one proposal takes effect once", () => {
  it("when two people, five times each, authorise it at the same moment", async () => {
    const second = actorOf("approver", await givenStaff(fixture.db, "approver"), "approvals:authorize");
    const id = await fixture.propose();
    const tries = Array.from({ length: 10 }, (_, n) =>
      fixture.authorising(id, n % 2 === 0 ? fixture.approver : second),
    );
    const settled = await Promise.allSettled(tries);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect([fixture.sent.sent, await fixture.paid()]).toEqual([1, 1]);
  });

  it("when it is authorised and withdrawn at the same moment", async () => {
    const id = await fixture.propose();
    const own = actorOf("finance", fixture.makerId, "approvals:read");
    const [authorised] = await Promise.allSettled([fixture.authorising(id), withdraw(own, { approvalId: id })]);
    expect(await fixture.paid()).toBe(authorised.status === "fulfilled" ? 1 : 0);
  });

  it("when the authorisation is sent again", async () => {
    const id = await fixture.propose();
    await fixture.authorising(id);
    await expect(fixture.authorising(id)).rejects.toMatchObject({ details: { code: "approval-ended" } });
    const another = { ...fixture.big(), isRepeat: true };
    await expect(orderInternalTransfer(fixture.maker, another)).resolves.toMatchObject({ state: "PROPOSED" });
    expect(await fixture.paid()).toBe(1);
  });

  it("and is followed when its answer was lost and comes out later", async () => {
    fixture.sent.losses = 100;
    const id = await fixture.propose();
    await expect(fixture.authorising(id)).resolves.toMatchObject({ state: "UNKNOWN" });
    await approvalsWatch.sweep("aurora");
    expect((await fixture.stateOf(id))[0]).toBe("UNKNOWN");
    await fixture.db.update(providerIntent).set({ state: "DONE" });
    await approvalsWatch.sweep("aurora");
    expect((await fixture.stateOf(id))[0]).toBe("EXECUTED");
    expect(await fixture.paid()).toBe(1);
  });

  it("and is held when the provider holds it", async () => {
    const id = await fixture.propose(internalOrder(fixture.parties, { amount: "10000.00" }));
    await expect(fixture.authorising(id)).resolves.toMatchObject({ state: "HELD" });
  });

  it("or says why it failed", async () => {
    const id = await fixture.propose(internalOrder([fixture.parties[1], fixture.parties[0]], { amount: "5000.00" }));
    await expect(fixture.authorising(id)).resolves.toMatchObject({ state: "FAILED" });
    await expect(fixture.authorising(id)).rejects.toMatchObject({ details: { code: "approval-ended" } });
  });
});

describe("a proposal whose executor died", () => {
  it("right after the authorisation is carried out by the next sweep, once", async () => {
    const id = await fixture.propose();
    await agree(fixture.approver, id);
    await fixture.died();
    await Promise.all([approvalsWatch.sweep("aurora"), approvalsWatch.sweep("aurora")]);
    expect(await fixture.stateOf(id)).toEqual(["EXECUTED", null]);
    expect([fixture.sent.sent, await fixture.paid()]).toEqual([1, 1]);
  });

  it.each([
    { when: "before its intent was sent", attempts: 0, state: "REFUSED", code: "never-sent", ends: "EXECUTED" },
    { when: "while its intent was being sent", attempts: 1, state: "UNKNOWN", code: "sender-gone", ends: "UNKNOWN" },
  ] as const)("$when comes to its end without a second one", async ({ attempts, state, code, ends }) => {
    const id = await fixture.propose();
    await fixture.authorising(id);
    const before = await fixture.paid();
    await fixture.db.update(providerIntent).set({ attempts, state, code });
    await fixture.tamper(sql`update approval set state = 'AUTHORISED'`);
    await fixture.died();
    await approvalsWatch.sweep("aurora");
    expect((await fixture.stateOf(id))[0]).toBe(ends);
    expect(await fixture.paid()).toBe(ends === "EXECUTED" ? before + 1 : before);
  });

  it("after the answer is what its intent says, and is not sent again", async () => {
    const id = await fixture.propose();
    await fixture.authorising(id);
    await fixture.tamper(sql`update approval set state = 'AUTHORISED'`);
    await fixture.died();
    await approvalsWatch.sweep("aurora");
    expect(await fixture.stateOf(id)).toEqual(["EXECUTED", null]);
    expect([fixture.sent.sent, await fixture.paid()]).toEqual([1, 1]);
  });

  it("and whose time is over by then is not carried out any more", async () => {
    const id = await fixture.propose();
    await agree(fixture.approver, id);
    await fixture.tamper(sql`update approval set expires_at = clock_timestamp()`);
    await fixture.died();
    await approvalsWatch.sweep("aurora");
    expect(await fixture.stateOf(id)).toEqual(["FAILED", "approval-expired"]);
    expect(fixture.sent.sent).toBe(0);
  });

  it("is not carried out when nobody authorised it and somebody wrote that they did", async () => {
    const id = await fixture.propose();
    await fixture.tamper(
      sql`update approval set state = 'AUTHORISED', decider_id = ${fixture.approverId}, decided_at = clock_timestamp()`,
    );
    await fixture.died();
    await approvalsWatch.sweep("aurora");
    expect(await fixture.stateOf(id)).toEqual(["FAILED", "approval-edited"]);
    expect(await approvalTrail(fixture.db)).toContain("approval.execute REFUSED");
    expect(fixture.sent.sent).toBe(0);
  });

  it("is left alone while its executor lives", async () => {
    const id = await fixture.propose();
    await agree(fixture.approver, id);
    await approvalsWatch.sweep("aurora");
    expect((await fixture.stateOf(id))[0]).toBe("AUTHORISED");
    expect(fixture.sent.sent).toBe(0);
  });
});
