import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { approvalTrail, giveRoles } from "@/test/support/approvals";
import { addFile } from "@/lib/notes/file";
import { withdraw } from "@/lib/approvals/withdraw";
import { approvalsWatch } from "@/lib/boot/approvals-watch";
import { contentsOf } from "@/test/support/audit";
import { actorOf, givenStaff } from "@/test/support/console";
import { proposeClosure } from "./close";
import { accountTarget } from "./notes";
import { givenClosing, PROOF } from "@/test/support/accounts";

let fixture: Awaited<ReturnType<typeof givenClosing>>;
beforeEach(async () => {
  fixture = await givenClosing();
});

const WRONG = { ...PROOF, code: "000000" };
const why = (code: string) => ({ details: { code } });

describe("an account is closed by three steps", () => {
  it("closes an account by a proposal, an authorisation and the holder's proof", async () => {
    const id = await fixture.propose();
    expect(await fixture.stateOf(id)).toEqual(["PENDING", null]);
    await expect(fixture.authorising(id)).resolves.toEqual({ state: "READY", code: null });
    expect([fixture.asked(), await fixture.status()]).toEqual([0, "ACTIVE"]);
    await expect(fixture.carrying(id)).resolves.toEqual({ state: "EXECUTED", code: null });
    expect([fixture.asked(), await fixture.status()]).toEqual([1, "CLOSED"]);
    expect(await fixture.intents()).toMatchObject([{ state: "DONE", actor: fixture.makerId, bodySealed: null }]);
    expect(await approvalTrail(fixture.db)).toEqual([
      "approval.propose DONE",
      "approval.authorise DONE",
      "approval.execute INTENT",
      "approval.execute DONE",
    ]);
  });

  it("keeps a closing waiting after a wrong code and records the refusal", async () => {
    const id = await fixture.ready();
    await expect(fixture.carrying(id, WRONG)).rejects.toMatchObject({
      kind: "invalid",
      details: { issues: [{ path: ["code"], params: { code: "holder-code" } }] },
    });
    expect(await fixture.stateOf(id)).toEqual(["READY", null]);
    expect(await approvalTrail(fixture.db)).toContain("approval.execute REFUSED");
    await expect(fixture.carrying(id)).resolves.toMatchObject({ state: "EXECUTED" });
    expect([fixture.asked(), await fixture.status()]).toEqual([2, "CLOSED"]);
  });

  it("never stores the holder's token and code, whether done, refused or unknown", async () => {
    const id = await fixture.ready();
    await expect(fixture.carrying(id, WRONG)).rejects.toMatchObject({ kind: "invalid" });
    fixture.sent.losses = 1;
    await fixture.carrying(id);
    const stored = JSON.stringify(await contentsOf(fixture.db));
    expect(stored).toContain("account_closure");
    expect(stored).not.toContain(PROOF.userAccessToken);
    expect(stored).not.toContain(PROOF.code);
  });
});

describe("what somebody proposed to close is not closed", () => {
  it("refuses the maker's own authorisation", async () => {
    const id = await fixture.propose();
    await giveRoles(fixture.db, fixture.makerId, "support", "approver");
    const own = actorOf("approver", fixture.makerId, "approvals:authorize");
    await expect(fixture.authorising(id, own)).rejects.toMatchObject(why("approval-own"));
    await expect(fixture.carrying(id)).rejects.toMatchObject(why("approval-undecided"));
    expect(fixture.asked()).toBe(0);
  });

  it("refuses other files than those agreed to", async () => {
    const id = await fixture.ready();
    const target = accountTarget("aurora", fixture.ref);
    const bytes = Buffer.from("%PDF-1.7 pedido");
    await addFile(actorOf("support", fixture.makerId, "accounts:note"), target, {
      fileId: randomUUID(),
      name: "pedido.pdf",
      bytes,
    });
    await expect(fixture.carrying(id)).rejects.toMatchObject(why("evidence-changed"));
    expect([fixture.asked(), await fixture.stateOf(id)]).toEqual([0, ["READY", null]]);
  });

  it("refuses completion by anybody but the maker", async () => {
    const id = await fixture.ready();
    const other = actorOf("support", await givenStaff(fixture.db, "support"), "accounts:close");
    await expect(fixture.carrying(id, PROOF, other)).rejects.toMatchObject(why("approval-not-yours"));
    expect([await fixture.stateOf(id), fixture.asked()]).toEqual([["READY", null], 0]);
  });

  it("refuses a second closing", async () => {
    const id = await fixture.ready();
    const tabs = await Promise.allSettled(Array.from({ length: 10 }, () => fixture.carrying(id)));
    expect(tabs.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(fixture.carrying(id)).rejects.toMatchObject(why("approval-ended"));
    expect([fixture.asked(), await fixture.stateOf(id)]).toEqual([1, ["EXECUTED", null]]);
  });

  it("lets one win when completion and withdrawal of a closing coincide", async () => {
    const id = await fixture.ready();
    const own = actorOf("support", fixture.makerId, "approvals:read");
    const [carried] = await Promise.allSettled([fixture.carrying(id), withdraw(own, { approvalId: id })]);
    const isCarried = carried.status === "fulfilled";
    expect(await fixture.stateOf(id)).toEqual([isCarried ? "EXECUTED" : "WITHDRAWN", null]);
    expect(fixture.asked()).toBe(isCarried ? 1 : 0);
  });

  it("refuses a closing after expiry, and records and announces the end", async () => {
    const id = await fixture.ready();
    await fixture.tamper(sql`update approval set expires_at = clock_timestamp()`);
    await approvalsWatch.sweep("aurora");
    expect(await fixture.stateOf(id)).toEqual(["EXPIRED", null]);
    await expect(fixture.carrying(id)).rejects.toMatchObject(why("approval-ended"));
    expect(fixture.asked()).toBe(0);
  });

  it("refuses a closing between its expiry and the sweep that records it", async () => {
    const id = await fixture.ready();
    await fixture.tamper(sql`update approval set expires_at = clock_timestamp()`);
    await expect(fixture.carrying(id)).rejects.toMatchObject(why("approval-expired"));
    expect([await fixture.stateOf(id), fixture.asked()]).toEqual([["EXPIRED", "approval-expired"], 0]);
  });

  it.each([
    ["another body", sql`update approval set body_hash = 'x'`],
    ["another object", sql`update approval set object = 'account:other'`],
    ["another intent", sql`update approval set intent_id = gen_random_uuid()`],
    ["a longer life", sql`update approval set expires_at = expires_at + interval '1 day'`],
    ["another's decision", sql`update approval set decision_sealed = frozen_sealed`],
  ])("refuses a closing that was given %s in the database", async (_, change) => {
    const id = await fixture.ready();
    await fixture.tamper(change);
    await expect(fixture.carrying(id)).rejects.toMatchObject(why("approval-edited"));
    expect([await fixture.stateOf(id), fixture.asked()]).toEqual([["FAILED", "approval-edited"], 0]);
  });

  it("refuses a closing with an authorisation forged in the database", async () => {
    const id = await fixture.propose();
    const forged = sql`update approval set state = 'READY', decider_id = ${fixture.approverId}, decided_at = clock_timestamp()`;
    await fixture.tamper(forged);
    await expect(fixture.carrying(id)).rejects.toMatchObject(why("approval-edited"));
    expect(fixture.asked()).toBe(0);
  });

  it("refuses a closing by a person who has lost the role", async () => {
    const id = await fixture.ready();
    await giveRoles(fixture.db, fixture.makerId, "auditor");
    await expect(fixture.carrying(id)).rejects.toMatchObject(why("maker-lost-right"));
    expect([await fixture.stateOf(id), fixture.asked()]).toEqual([["FAILED", "maker-lost-right"], 0]);
  });

  it("refuses a closing after withdrawal, which only its maker can do", async () => {
    const id = await fixture.ready();
    const approver = actorOf("approver", fixture.approverId, "approvals:read");
    await expect(withdraw(approver, { approvalId: id })).rejects.toMatchObject(why("approval-not-yours"));
    await withdraw(actorOf("support", fixture.makerId, "approvals:read"), { approvalId: id });
    await expect(fixture.carrying(id)).rejects.toMatchObject(why("approval-ended"));
    expect([await fixture.stateOf(id), fixture.asked()]).toEqual([["WITHDRAWN", null], 0]);
  });

  it("refuses a closing while another proposal is open or authorised", async () => {
    const id = await fixture.propose();
    await expect(fixture.propose()).rejects.toMatchObject(why("approval-open"));
    await fixture.authorising(id);
    await expect(fixture.propose()).rejects.toMatchObject(why("approval-open"));
  });

  it("refuses a closing at another tenant", async () => {
    const id = await fixture.ready();
    await fixture.tamper(sql`update approval set tenant = 'boreal'`);
    await expect(fixture.carrying(id)).rejects.toMatchObject({ kind: "not-found" });
  });
});

describe("whoever was carrying it out and died", () => {
  it("leaves the proposal waiting after a crash before sending", async () => {
    const id = await fixture.ready();
    await fixture.tamper(sql`update approval set state = 'AUTHORISED'`);
    await fixture.died();
    await approvalsWatch.sweep("aurora");
    expect([await fixture.stateOf(id), fixture.asked()]).toEqual([["READY", null], 0]);
    await expect(fixture.carrying(id)).resolves.toMatchObject({ state: "EXECUTED" });
  });

  it("expires the proposal after a crash before sending when its time is over", async () => {
    const id = await fixture.ready();
    await fixture.tamper(sql`update approval set state = 'AUTHORISED', expires_at = clock_timestamp()`);
    await fixture.died();
    await approvalsWatch.sweep("aurora");
    expect([await fixture.stateOf(id), fixture.asked()]).toEqual([["FAILED", "approval-expired"], 0]);
  });

  it("records a closing whose executor died, and sends nothing more", async () => {
    const id = await fixture.ready();
    await fixture.carrying(id);
    await fixture.tamper(sql`update approval set state = 'AUTHORISED'`);
    await fixture.died();
    await approvalsWatch.sweep("aurora");
    expect([await fixture.stateOf(id), fixture.asked()]).toEqual([["EXECUTED", null], 1]);
  });
});

describe("where the policy asks for nobody else", () => {
  it("closes the account in one step", async () => {
    await fixture.allowAlone();
    await fixture.closing();
    expect([fixture.asked(), await fixture.status()]).toEqual([1, "CLOSED"]);
  });

  it("refuses a proposal where none is needed, and a direct closing where one is", async () => {
    await expect(fixture.closing()).rejects.toMatchObject(why("policy-changed"));
    await fixture.allowAlone();
    await expect(fixture.propose()).rejects.toMatchObject(why("policy-changed"));
    expect(fixture.asked()).toBe(0);
  });

  it("refuses to close while a proposal is open, even under its own intent", async () => {
    const intentId = randomUUID();
    await proposeClosure(fixture.maker, fixture.form({ intentId }));
    await fixture.allowAlone();
    await expect(fixture.closing()).rejects.toMatchObject(why("approval-open"));
    await expect(fixture.closing({ intentId })).rejects.toMatchObject(why("intent-reused"));
    expect(fixture.asked()).toBe(0);
  });
});
