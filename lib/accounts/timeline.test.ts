import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { refuse, withdraw } from "@/lib/approvals/verdict";
import { watchActor } from "@/lib/auth/grant";
import { noteEvents } from "@/lib/onboarding/events";
import { onboarding } from "@/lib/store/schema";
import { actorOf } from "@/lib/testing";
import { givenClosing, PROOF } from "./testing";
import { readTimeline } from "./timeline";

let desk: Awaited<ReturnType<typeof givenClosing>>;
beforeEach(async () => {
  desk = await givenClosing();
});

const read = async (readerId = desk.makerId) => readTimeline(actorOf("support", readerId, "accounts:read"), desk.ref);
const kinds = async () => (await read()).map(({ kind }) => kind);

it("an account that was open when it was first looked up begins there", async () => {
  expect(await read()).toEqual([{ at: expect.any(String), kind: "known", byName: null, isMine: false }]);
});

it("one whose onboarding we followed begins where the provider opened it", async () => {
  const [row] = await desk.db.select().from(onboarding).where(eq(onboarding.accountId, desk.held.accountId));
  await noteEvents(desk.db, [{ tenant: "aurora", onboardingId: row?.id ?? "", kind: "account-opened", actor: null }]);
  expect(new Set(await kinds())).toEqual(new Set(["opened", "known"]));
});

it("a closure is told step by step, newest first, each with who took it", async () => {
  await desk.carrying(await desk.ready());
  const told = await read();
  expect(told.map(({ kind }) => kind)).toEqual(["closed", "closing-authorised", "closing-proposed", "known"]);
  expect(told.map(({ isMine }) => isMine)).toEqual([true, false, true, false]);
  expect((await read(desk.approverId)).map(({ isMine }) => isMine)).toEqual([false, true, false, false]);
  expect(told.slice(0, 3).map(({ byName }) => byName)).not.toContain(null);
});

it("so is one that came to nothing: withdrawn, refused by somebody, or refused by the provider", async () => {
  await withdraw(actorOf("support", desk.makerId, "approvals:read"), { approvalId: await desk.propose() });
  expect(await kinds()).toEqual(["closing-withdrawn", "closing-proposed", "known"]);
  await refuse(desk.approver, { approvalId: await desk.propose(), reason: "Há dúvidas" });
  expect((await kinds()).slice(0, 2)).toEqual(["closing-refused", "closing-proposed"]);
  await Promise.allSettled([desk.carrying(await desk.ready(), { ...PROOF, code: "000000" })]);
  expect((await kinds())[0]).toBe("closing-rejected");
});

it("one without an answer is told as sent", async () => {
  const id = await desk.ready();
  desk.sent.losses = 1;
  await desk.carrying(id);
  expect((await kinds())[0]).toBe("closing-sent");
});

it("another tenant's account, and what is none, tell nothing", async () => {
  const stranger = watchActor("accounts", "boreal", "accounts:read");
  expect(await readTimeline(stranger, desk.ref)).toEqual([]);
  expect(await readTimeline(actorOf("support", desk.makerId, "accounts:read"), "nothing")).toEqual([]);
});
