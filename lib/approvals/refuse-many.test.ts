import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { approvalTrail, givenFixture } from "@/test/support/approvals";
import { internalOrder } from "@/test/support/transfers";
import { RefusingMany } from "./inputs";
import { refuseMany } from "./refuse-many";

let fixture: Awaited<ReturnType<typeof givenFixture>>;
beforeEach(async () => {
  fixture = await givenFixture();
});

const reason = "Falta o contrato";
const another = () => fixture.propose(internalOrder(fixture.parties, { amount: "6200.00" }));

it("refuses several requests with one reason, each on record, and sends nothing", async () => {
  const approvalIds = [await fixture.propose(), await another()];
  expect(await refuseMany(fixture.approver, { approvalIds, reason })).toEqual({ refused: approvalIds, left: [] });
  for (const id of approvalIds) expect(await fixture.stateOf(id)).toEqual(["REFUSED", null]);
  const refusals = (await approvalTrail(fixture.db)).filter((line) => line === "approval.refuse DONE");
  expect(refusals).toHaveLength(2);
  expect(fixture.sent.sent).toBe(0);
});

it("leaves alone what has ended, and names it", async () => {
  const ended = await fixture.propose();
  await refuseMany(fixture.approver, { approvalIds: [ended], reason });
  const open = await another();
  const done = await refuseMany(fixture.approver, { approvalIds: [ended, open, open], reason });
  expect(done).toEqual({ refused: [open], left: [ended] });
});

it("refuses each request once for two people at once", async () => {
  const approvalIds = [await fixture.propose(), await another()];
  const settled = await Promise.allSettled([1, 2, 3].map(() => refuseMany(fixture.approver, { approvalIds, reason })));
  const refused = settled.flatMap((one) => (one.status === "fulfilled" ? one.value.refused : []));
  expect(refused.toSorted()).toEqual(approvalIds.toSorted());
});

it("sends or refuses each of five requests once, for ten people at once", async () => {
  const approvalIds: string[] = [];
  for (const amount of ["6200.00", "6300.00", "6400.00", "6500.00", "6600.00"])
    approvalIds.push(await fixture.propose(internalOrder(fixture.parties, { amount })));
  await Promise.allSettled([
    ...[1, 2, 3, 4, 5].map(() => refuseMany(fixture.approver, { approvalIds, reason })),
    ...approvalIds.toReversed().map((approvalId) => fixture.authorising(approvalId)),
  ]);
  const states: string[] = [];
  for (const id of approvalIds) states.push((await fixture.stateOf(id))[0] ?? "");
  const trail = await approvalTrail(fixture.db);
  expect(trail.filter((line) => line === "approval.refuse DONE")).toHaveLength(
    states.filter((state) => state === "REFUSED").length,
  );
  expect(fixture.sent.sent).toBe(states.filter((state) => state !== "REFUSED").length);
});

it("says why when none could be refused", async () => {
  const unknown = { approvalIds: [randomUUID()], reason };
  await expect(refuseMany(fixture.approver, unknown)).rejects.toMatchObject({ kind: "not-found" });
  expect(RefusingMany.safeParse({ approvalIds: [], reason }).success).toBe(false);
  expect(RefusingMany.safeParse({ ...unknown, reason: " " }).success).toBe(false);
});
