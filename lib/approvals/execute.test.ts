import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { bankIntent } from "@/lib/bank/schema";
import { actorOf, givenStaff } from "@/lib/testing";
import { orderInternalTransfer } from "@/lib/transfers/approvals";
import { internalOrder } from "@/lib/transfers/testing";
import { approvalTrail, givenDesk } from "./testing";
import { agree, withdraw } from "./verdict";
import { approvalsWatch } from "./watch";

let desk: Awaited<ReturnType<typeof givenDesk>>;
beforeEach(async () => {
  desk = await givenDesk();
});

describe("one proposal takes effect once", () => {
  it("when two people, five times each, authorise it at the same moment", async () => {
    const second = actorOf("approver", await givenStaff(desk.db, "approver"), "approvals:authorize");
    const id = await desk.propose();
    const tries = Array.from({ length: 10 }, (_, n) => desk.authorising(id, n % 2 === 0 ? desk.approver : second));
    const settled = await Promise.allSettled(tries);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect([desk.sent.sent, await desk.paid()]).toEqual([1, 1]);
  });

  it("when it is authorised and withdrawn at the same moment", async () => {
    const id = await desk.propose();
    const own = actorOf("finance", desk.makerId, "approvals:read");
    const [authorised] = await Promise.allSettled([desk.authorising(id), withdraw(own, { approvalId: id })]);
    expect(await desk.paid()).toBe(authorised.status === "fulfilled" ? 1 : 0);
  });

  it("when the authorisation is desk.sent again", async () => {
    const id = await desk.propose();
    await desk.authorising(id);
    await expect(desk.authorising(id)).rejects.toMatchObject({ details: { code: "approval-ended" } });
    await expect(orderInternalTransfer(desk.maker, desk.big())).resolves.toMatchObject({ state: "PROPOSED" });
    expect(await desk.paid()).toBe(1);
  });

  it("and is followed when its answer was lost and comes out later", async () => {
    desk.sent.losses = 100;
    const id = await desk.propose();
    await expect(desk.authorising(id)).resolves.toMatchObject({ state: "UNKNOWN" });
    await approvalsWatch.sweep("aurora");
    expect((await desk.stateOf(id))[0]).toBe("UNKNOWN");
    await desk.db.update(bankIntent).set({ state: "DONE" });
    await approvalsWatch.sweep("aurora");
    expect((await desk.stateOf(id))[0]).toBe("EXECUTED");
    expect(await desk.paid()).toBe(1);
  });

  it("and is held when the provider holds it", async () => {
    const id = await desk.propose(internalOrder(desk.parties, { amount: "10000.00" }));
    await expect(desk.authorising(id)).resolves.toMatchObject({ state: "HELD" });
  });

  it("or says why it failed", async () => {
    const id = await desk.propose(internalOrder([desk.parties[1], desk.parties[0]], { amount: "5000.00" }));
    await expect(desk.authorising(id)).resolves.toMatchObject({ state: "FAILED" });
    await expect(desk.authorising(id)).rejects.toMatchObject({ details: { code: "approval-ended" } });
  });
});

describe("a proposal whose executor died", () => {
  it("right after the authorisation is carried out by the next sweep, once", async () => {
    const id = await desk.propose();
    await agree(desk.approver, id);
    await desk.died();
    await Promise.all([approvalsWatch.sweep("aurora"), approvalsWatch.sweep("aurora")]);
    expect(await desk.stateOf(id)).toEqual(["EXECUTED", null]);
    expect([desk.sent.sent, await desk.paid()]).toEqual([1, 1]);
  });

  it.each([
    { when: "before its intent was sent", attempts: 0, state: "REFUSED", code: "never-sent", ends: "EXECUTED" },
    { when: "while its intent was being sent", attempts: 1, state: "UNKNOWN", code: "sender-gone", ends: "UNKNOWN" },
  ] as const)("$when comes to its end without a second one", async ({ attempts, state, code, ends }) => {
    const id = await desk.propose();
    await desk.authorising(id);
    const before = await desk.paid();
    await desk.db.update(bankIntent).set({ attempts, state, code });
    await desk.tamper(sql`update approval set state = 'AUTHORISED'`);
    await desk.died();
    await approvalsWatch.sweep("aurora");
    expect((await desk.stateOf(id))[0]).toBe(ends);
    expect(await desk.paid()).toBe(ends === "EXECUTED" ? before + 1 : before);
  });

  it("after the answer is what its intent says, and is not desk.sent again", async () => {
    const id = await desk.propose();
    await desk.authorising(id);
    await desk.tamper(sql`update approval set state = 'AUTHORISED'`);
    await desk.died();
    await approvalsWatch.sweep("aurora");
    expect(await desk.stateOf(id)).toEqual(["EXECUTED", null]);
    expect([desk.sent.sent, await desk.paid()]).toEqual([1, 1]);
  });

  it("and whose time is over by then is not carried out any more", async () => {
    const id = await desk.propose();
    await agree(desk.approver, id);
    await desk.tamper(sql`update approval set expires_at = clock_timestamp()`);
    await desk.died();
    await approvalsWatch.sweep("aurora");
    expect(await desk.stateOf(id)).toEqual(["FAILED", "approval-expired"]);
    expect(desk.sent.sent).toBe(0);
  });

  it("is not carried out when nobody authorised it and somebody wrote that they did", async () => {
    const id = await desk.propose();
    await desk.tamper(
      sql`update approval set state = 'AUTHORISED', decider_id = ${desk.approverId}, decided_at = clock_timestamp()`,
    );
    await desk.died();
    await approvalsWatch.sweep("aurora");
    expect(await desk.stateOf(id)).toEqual(["FAILED", "approval-edited"]);
    expect(await approvalTrail(desk.db)).toContain("approval.execute REFUSED");
    expect(desk.sent.sent).toBe(0);
  });

  it("is left alone while its executor lives", async () => {
    const id = await desk.propose();
    await agree(desk.approver, id);
    await approvalsWatch.sweep("aurora");
    expect((await desk.stateOf(id))[0]).toBe("AUTHORISED");
    expect(desk.sent.sent).toBe(0);
  });
});
