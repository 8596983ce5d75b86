import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeEach, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import type { ApprovalState } from "@/lib/db/enums/approvals";
import type { Role } from "@/lib/permission/permission";
import { sessionOf } from "@/test/support/auth";
import { givenApproval, givenFixture } from "@/test/support/approvals";
import { actorOf, givenStaff } from "@/test/support/console";
import { seeResults } from "./owed";
import { countOwed, getApproval, listApprovals } from "./queries";

let fixture: Awaited<ReturnType<typeof givenFixture>>;
beforeEach(async () => {
  fixture = await givenFixture();
});

const readAs = (staffId: string, role: Role) =>
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, roles: [role] }));

/** By the badge, the tab and the rows. */
async function owed() {
  const { rows, counts, total } = await listApprovals({ view: "owed" });
  const { count } = await countOwed();
  expect([counts.owed, total, rows.length]).toEqual([count, count, count]);
  return rows.map(({ id, owes }) => [id, owes]);
}

async function given(state: ApprovalState): Promise<string> {
  const id = randomUUID();
  await givenApproval(fixture.db, { tenant: "aurora", id, makerId: fixture.makerId, headline: "um caso" });
  await fixture.tamper(sql`update approval set state = ${state} where id = ${id}`);
  return id;
}

it("counts, lists and marks the same requests, for whoever reads", async () => {
  const ready = await given("READY");
  const done = await given("EXECUTED");
  await given("WITHDRAWN");
  const waiting = await fixture.propose();
  readAs(fixture.makerId, "finance");
  expect(await owed()).toEqual([
    [done, "result"],
    [ready, "complete"],
  ]);
  expect((await listApprovals({ view: "mine" })).rows.filter(({ owes }) => owes !== null)).toHaveLength(2);
  readAs(fixture.approverId, "approver");
  expect(await owed()).toEqual([[waiting, "decide"]]);
  readAs(await givenStaff(fixture.db, "auditor"), "auditor");
  expect(await owed()).toEqual([]);
});

it("takes a result from the count once its request was opened", async () => {
  const done = await given("REFUSED");
  readAs(fixture.approverId, "approver");
  await getApproval(done);
  readAs(fixture.makerId, "finance");
  expect(await owed()).toEqual([[done, "result"]]);
  await getApproval(done);
  expect(await owed()).toEqual([]);
});

it("stops counting results that their requester marked as seen", async () => {
  const [done, ready] = [await given("EXECUTED"), await given("READY")];
  const approvalIds = [done, ready];
  const other = actorOf("approver", fixture.approverId, "approvals:read");
  await expect(seeResults(other, { approvalIds })).rejects.toMatchObject({ kind: "not-found" });
  readAs(fixture.makerId, "finance");
  expect(await owed()).toHaveLength(2);
  const maker = actorOf("finance", fixture.makerId, "approvals:read");
  await seeResults(maker, { approvalIds });
  await seeResults(maker, { approvalIds });
  expect(await owed()).toEqual([[ready, "complete"]]);
});

it("marks results as seen from ten windows that mark and open them at once", async () => {
  const ids: string[] = [];
  for (let nth = 0; nth < 10; nth += 1) ids.push(await given("EXECUTED"));
  readAs(fixture.makerId, "finance");
  const maker = actorOf("finance", fixture.makerId, "approvals:read");
  const orders = ids.map((_, nth) => [...ids.slice(nth), ...ids.slice(0, nth)]);
  await Promise.all([
    ...orders.map((approvalIds) => seeResults(maker, { approvalIds })),
    ...ids.map((id) => getApproval(id)),
  ]);
  expect(await owed()).toEqual([]);
});
