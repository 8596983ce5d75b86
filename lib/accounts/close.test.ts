import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { approvalTrail, giveRoles } from "@/lib/approvals/testing";
import { withdraw } from "@/lib/approvals/verdict";
import { approvalsWatch } from "@/lib/approvals/watch";
import { contentsOf } from "@/lib/audit/contents-testing";
import { actorOf, givenStaff } from "@/lib/testing";
import { proposeClosure } from "./approvals";
import { givenClosing, PROOF } from "./testing";

let desk: Awaited<ReturnType<typeof givenClosing>>;
beforeEach(async () => {
  desk = await givenClosing();
});

const WRONG = { ...PROOF, code: "000000" };
const why = (code: string) => ({ details: { code } });

describe("an account is closed by three steps", () => {
  it("a proposal, somebody else's authorisation, and its maker with what the holder gave them", async () => {
    const id = await desk.propose();
    expect(await desk.stateOf(id)).toEqual(["PENDING", null]);
    await expect(desk.authorising(id)).resolves.toEqual({ state: "READY", code: null });
    expect([desk.asked(), await desk.status()]).toEqual([0, "ACTIVE"]);
    await expect(desk.carrying(id)).resolves.toEqual({ state: "EXECUTED", code: null });
    expect([desk.asked(), await desk.status()]).toEqual([1, "CLOSED"]);
    expect(await desk.intents()).toMatchObject([{ state: "DONE", actor: desk.makerId, bodySealed: null }]);
    expect(await approvalTrail(desk.db)).toEqual([
      "approval.propose DONE",
      "approval.authorise DONE",
      "approval.execute INTENT",
      "approval.execute DONE",
    ]);
  });

  it("of which a wrong code is not the last: the proposal waits for another try, with the refusal on record", async () => {
    const id = await desk.ready();
    await expect(desk.carrying(id, WRONG)).rejects.toMatchObject({
      kind: "invalid",
      details: { issues: [{ path: ["code"], params: { code: "holder-code" } }] },
    });
    expect(await desk.stateOf(id)).toEqual(["READY", null]);
    expect(await approvalTrail(desk.db)).toContain("approval.execute REFUSED");
    await expect(desk.carrying(id)).resolves.toMatchObject({ state: "EXECUTED" });
    expect([desk.asked(), await desk.status()]).toEqual([2, "CLOSED"]);
  });

  it("that leave the holder's token and code nowhere in the store, done, refused or not known", async () => {
    const id = await desk.ready();
    await Promise.allSettled([desk.carrying(id, WRONG)]);
    desk.sent.losses = 1;
    await desk.carrying(id);
    const kept = JSON.stringify(await contentsOf(desk.db));
    expect(kept).toContain("account_closure");
    expect(kept).not.toContain(PROOF.userAccessToken);
    expect(kept).not.toContain(PROOF.code);
  });
});

describe("what somebody proposed to close is not closed", () => {
  it("on their own word", async () => {
    const id = await desk.propose();
    await giveRoles(desk.db, desk.makerId, "support", "approver");
    const own = actorOf("approver", desk.makerId, "approvals:authorize");
    await expect(desk.authorising(id, own)).rejects.toMatchObject(why("approval-own"));
    await expect(desk.carrying(id)).rejects.toMatchObject(why("approval-undecided"));
    expect(desk.asked()).toBe(0);
  });

  it("by anybody but them", async () => {
    const id = await desk.ready();
    const other = actorOf("support", await givenStaff(desk.db, "support"), "accounts:close");
    await expect(desk.carrying(id, PROOF, other)).rejects.toMatchObject(why("approval-not-yours"));
    expect([await desk.stateOf(id), desk.asked()]).toEqual([["READY", null], 0]);
  });

  it("twice, nor again after it was", async () => {
    const id = await desk.ready();
    const tabs = await Promise.allSettled(Array.from({ length: 10 }, () => desk.carrying(id)));
    expect(tabs.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(desk.carrying(id)).rejects.toMatchObject(why("approval-ended"));
    expect([desk.asked(), await desk.stateOf(id)]).toEqual([1, ["EXECUTED", null]]);
  });

  it("when they take it back at the same moment, or it is: one of the two", async () => {
    const id = await desk.ready();
    const own = actorOf("support", desk.makerId, "approvals:read");
    const [carried] = await Promise.allSettled([desk.carrying(id), withdraw(own, { approvalId: id })]);
    const isCarried = carried.status === "fulfilled";
    expect(await desk.stateOf(id)).toEqual([isCarried ? "EXECUTED" : "WITHDRAWN", null]);
    expect(desk.asked()).toBe(isCarried ? 1 : 0);
  });

  it("once its time is over, which ends it and is told", async () => {
    const id = await desk.ready();
    await desk.tamper(sql`update approval set expires_at = clock_timestamp()`);
    await approvalsWatch.sweep("aurora");
    expect(await desk.stateOf(id)).toEqual(["EXPIRED", null]);
    await expect(desk.carrying(id)).rejects.toMatchObject(why("approval-ended"));
    expect(desk.asked()).toBe(0);
  });

  it("in the moment between its end and the sweep that writes it", async () => {
    const id = await desk.ready();
    await desk.tamper(sql`update approval set expires_at = clock_timestamp()`);
    await expect(desk.carrying(id)).rejects.toMatchObject(why("approval-expired"));
    expect([await desk.stateOf(id), desk.asked()]).toEqual([["EXPIRED", "approval-expired"], 0]);
  });

  it.each([
    ["another body", sql`update approval set body_hash = 'x'`],
    ["another object", sql`update approval set object = 'account:other'`],
    ["another intent", sql`update approval set intent_id = gen_random_uuid()`],
    ["a longer life", sql`update approval set expires_at = expires_at + interval '1 day'`],
    ["another's decision", sql`update approval set decision_sealed = frozen_sealed`],
  ])("when it was given %s in the database", async (_, change) => {
    const id = await desk.ready();
    await desk.tamper(change);
    await expect(desk.carrying(id)).rejects.toMatchObject(why("approval-edited"));
    expect([await desk.stateOf(id), desk.asked()]).toEqual([["FAILED", "approval-edited"], 0]);
  });

  it("when nobody authorised it and somebody wrote that they did", async () => {
    const id = await desk.propose();
    const forged = sql`update approval set state = 'READY', decider_id = ${desk.approverId}, decided_at = clock_timestamp()`;
    await desk.tamper(forged);
    await expect(desk.carrying(id)).rejects.toMatchObject(why("approval-edited"));
    expect(desk.asked()).toBe(0);
  });

  it("by who lost the role since", async () => {
    const id = await desk.ready();
    await giveRoles(desk.db, desk.makerId, "auditor");
    await expect(desk.carrying(id)).rejects.toMatchObject(why("maker-lost-right"));
    expect([await desk.stateOf(id), desk.asked()]).toEqual([["FAILED", "maker-lost-right"], 0]);
  });

  it("once they took it back, which nobody else can", async () => {
    const id = await desk.ready();
    const approver = actorOf("approver", desk.approverId, "approvals:read");
    await expect(withdraw(approver, { approvalId: id })).rejects.toMatchObject(why("approval-not-yours"));
    await withdraw(actorOf("support", desk.makerId, "approvals:read"), { approvalId: id });
    await expect(desk.carrying(id)).rejects.toMatchObject(why("approval-ended"));
    expect([await desk.stateOf(id), desk.asked()]).toEqual([["WITHDRAWN", null], 0]);
  });

  it("while another proposal is open for the account, also one that was authorised", async () => {
    const id = await desk.propose();
    await expect(desk.propose()).rejects.toMatchObject(why("approval-open"));
    await desk.authorising(id);
    await expect(desk.propose()).rejects.toMatchObject(why("approval-open"));
  });

  it("at another tenant", async () => {
    const id = await desk.ready();
    await desk.tamper(sql`update approval set tenant = 'boreal'`);
    await expect(desk.carrying(id)).rejects.toMatchObject({ kind: "not-found" });
  });
});

describe("whoever was carrying it out and died", () => {
  it("before anything was sent finds it waiting again", async () => {
    const id = await desk.ready();
    await desk.tamper(sql`update approval set state = 'AUTHORISED'`);
    await desk.died();
    await approvalsWatch.sweep("aurora");
    expect([await desk.stateOf(id), desk.asked()]).toEqual([["READY", null], 0]);
    await expect(desk.carrying(id)).resolves.toMatchObject({ state: "EXECUTED" });
  });

  it("before anything was sent, and too late, finds that its time was over", async () => {
    const id = await desk.ready();
    await desk.tamper(sql`update approval set state = 'AUTHORISED', expires_at = clock_timestamp()`);
    await desk.died();
    await approvalsWatch.sweep("aurora");
    expect([await desk.stateOf(id), desk.asked()]).toEqual([["FAILED", "approval-expired"], 0]);
  });

  it("after it was closed finds that it was, and sends nothing more", async () => {
    const id = await desk.ready();
    await desk.carrying(id);
    await desk.tamper(sql`update approval set state = 'AUTHORISED'`);
    await desk.died();
    await approvalsWatch.sweep("aurora");
    expect([await desk.stateOf(id), desk.asked()]).toEqual([["EXECUTED", null], 1]);
  });
});

describe("where the policy asks for nobody else", () => {
  it("an account is closed in one go", async () => {
    await desk.allowAlone();
    await desk.closing();
    expect([desk.asked(), await desk.status()]).toEqual([1, "CLOSED"]);
  });

  it("there is nothing to propose, and where it does ask nothing is closed in one go", async () => {
    await expect(desk.closing()).rejects.toMatchObject(why("policy-changed"));
    await desk.allowAlone();
    await expect(desk.propose()).rejects.toMatchObject(why("policy-changed"));
    expect(desk.asked()).toBe(0);
  });

  it("an open proposal stands all the same, and its intent closes nothing by another way", async () => {
    const intentId = randomUUID();
    await proposeClosure(desk.maker, desk.form({ intentId }));
    await desk.allowAlone();
    await expect(desk.closing()).rejects.toMatchObject(why("approval-open"));
    await expect(desk.closing({ intentId })).rejects.toMatchObject(why("intent-reused"));
    expect(desk.asked()).toBe(0);
  });
});
