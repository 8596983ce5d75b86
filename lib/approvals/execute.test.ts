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
  it("runs a proposal once for two people who authorise it five times each", async () => {
    const second = actorOf("approver", await givenStaff(fixture.db, "approver"), "approvals:authorize");
    const id = await fixture.propose();
    const tries = Array.from({ length: 10 }, (_, n) =>
      fixture.authorising(id, n % 2 === 0 ? fixture.approver : second),
    );
    const settled = await Promise.allSettled(tries);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect([fixture.sent.sent, await fixture.paid()]).toEqual([1, 1]);
  });

  it("runs a proposal at most once when authorised and withdrawn together", async () => {
    const id = await fixture.propose();
    const own = actorOf("finance", fixture.makerId, "approvals:read");
    const [authorised] = await Promise.allSettled([fixture.authorising(id), withdraw(own, { approvalId: id })]);
    expect(await fixture.paid()).toBe(authorised.status === "fulfilled" ? 1 : 0);
  });

  it("runs a proposal once when the authorisation is sent again", async () => {
    const id = await fixture.propose();
    await fixture.authorising(id);
    await expect(fixture.authorising(id)).rejects.toMatchObject({ details: { code: "approval-ended" } });
    const another = { ...fixture.big(), isRepeat: true };
    await expect(orderInternalTransfer(fixture.maker, another)).resolves.toMatchObject({ state: "PROPOSED" });
    expect(await fixture.paid()).toBe(1);
  });

  it("records the late result of a proposal's lost answer", async () => {
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

  it("records that the provider holds a proposal's write", async () => {
    const id = await fixture.propose(internalOrder(fixture.parties, { amount: "10000.00" }));
    await expect(fixture.authorising(id)).resolves.toMatchObject({ state: "HELD" });
  });

  it("records why a proposal's write failed", async () => {
    const id = await fixture.propose(internalOrder([fixture.parties[1], fixture.parties[0]], { amount: "5000.00" }));
    await expect(fixture.authorising(id)).resolves.toMatchObject({ state: "FAILED" });
    await expect(fixture.authorising(id)).rejects.toMatchObject({ details: { code: "approval-ended" } });
  });
});

describe("a proposal whose executor died", () => {
  it("runs a proposal in the next sweep, once, after a crash", async () => {
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
  ] as const)("ends a proposal without a second run after a crash $when", async ({ attempts, state, code, ends }) => {
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

  it("gives a proposal its intent's result after a crash, without resending", async () => {
    const id = await fixture.propose();
    await fixture.authorising(id);
    await fixture.tamper(sql`update approval set state = 'AUTHORISED'`);
    await fixture.died();
    await approvalsWatch.sweep("aurora");
    expect(await fixture.stateOf(id)).toEqual(["EXECUTED", null]);
    expect([fixture.sent.sent, await fixture.paid()]).toEqual([1, 1]);
  });

  it("never runs a proposal that has expired", async () => {
    const id = await fixture.propose();
    await agree(fixture.approver, id);
    await fixture.tamper(sql`update approval set expires_at = clock_timestamp()`);
    await fixture.died();
    await approvalsWatch.sweep("aurora");
    expect(await fixture.stateOf(id)).toEqual(["FAILED", "approval-expired"]);
    expect(fixture.sent.sent).toBe(0);
  });

  it("never runs a proposal on a forged authorisation", async () => {
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

  it("leaves a proposal alone while its executor lives", async () => {
    const id = await fixture.propose();
    await agree(fixture.approver, id);
    await approvalsWatch.sweep("aurora");
    expect((await fixture.stateOf(id))[0]).toBe("AUTHORISED");
    expect(fixture.sent.sent).toBe(0);
  });
});
