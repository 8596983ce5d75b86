import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { refuseRequest } from "@/lib/approvals/decide";
import { withdraw } from "@/lib/approvals/withdraw";
import { watchActor } from "@/lib/permission/grant";
import { noteOnboardingEvents } from "@/lib/onboarding/records";
import { onboarding } from "@/lib/db/tables/customers";
import { actorOf } from "@/test/support/console";
import { givenClosing, PROOF } from "@/test/support/accounts";
import { readAccountTimeline } from "./timeline";

let fixture: Awaited<ReturnType<typeof givenClosing>>;
beforeEach(async () => {
  fixture = await givenClosing();
});

const read = async (readerId = fixture.makerId) =>
  readAccountTimeline(actorOf("support", readerId, "accounts:read"), fixture.ref);
const kinds = async () => (await read()).map(({ kind }) => kind);

it("begins at the first look-up for an account found open", async () => {
  expect(await read()).toEqual([{ at: expect.any(String), kind: "known", byName: null, isMine: false }]);
});

it("begins at the opening for an onboarding we followed", async () => {
  const [row] = await fixture.db.select().from(onboarding).where(eq(onboarding.accountId, fixture.held.accountId));
  await noteOnboardingEvents(fixture.db, [
    { tenant: "aurora", onboardingId: row?.id ?? "", kind: "account-opened", actor: null },
  ]);
  expect(new Set(await kinds())).toEqual(new Set(["opened", "known"]));
});

it("lists each step of a closing, newest first, with its author", async () => {
  await fixture.carrying(await fixture.ready());
  const told = await read();
  expect(told.map(({ kind }) => kind)).toEqual(["closed", "closing-authorised", "closing-proposed", "known"]);
  expect(told.map(({ isMine }) => isMine)).toEqual([true, false, true, false]);
  expect((await read(fixture.approverId)).map(({ isMine }) => isMine)).toEqual([false, true, false, false]);
  expect(told.slice(0, 3).map(({ byName }) => byName)).not.toContain(null);
});

it("shows a closure that was withdrawn, refused or rejected by the provider", async () => {
  await withdraw(actorOf("support", fixture.makerId, "approvals:read"), { approvalId: await fixture.propose() });
  expect(await kinds()).toEqual(["closing-withdrawn", "closing-proposed", "known"]);
  await refuseRequest(fixture.approver, { approvalId: await fixture.propose(), reason: "Há dúvidas" });
  expect((await kinds()).slice(0, 2)).toEqual(["closing-refused", "closing-proposed"]);
  const wrong = { ...PROOF, code: "000000" };
  await expect(fixture.carrying(await fixture.ready(), wrong)).rejects.toMatchObject({ kind: "invalid" });
  expect((await kinds())[0]).toBe("closing-rejected");
});

it("shows a closing stopped by our own check as no provider refusal", async () => {
  const id = await fixture.ready();
  await fixture.credit(10);
  await expect(fixture.carrying(id)).rejects.toMatchObject({ details: { code: "closing-balance" } });
  expect((await kinds())[0]).toBe("closing-failed");
});

it("shows an unanswered closing as sent", async () => {
  const id = await fixture.ready();
  fixture.sent.losses = 1;
  await fixture.carrying(id);
  expect((await kinds())[0]).toBe("closing-sent");
});

it("shows nothing for another tenant's account or an unknown one", async () => {
  const stranger = watchActor("accounts", "boreal", "accounts:read");
  expect(await readAccountTimeline(stranger, fixture.ref)).toEqual([]);
  expect(await readAccountTimeline(actorOf("support", fixture.makerId, "accounts:read"), "nothing")).toEqual([]);
});
