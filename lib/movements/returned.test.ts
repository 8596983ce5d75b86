import { randomUUID } from "node:crypto";
import { expect, it, vi } from "vitest";
import { keepEntries } from "@/lib/accounts/kept-entries";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/test/support/auth";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { getMovementSummary, listMovements } from "./queries";

const SIDES = { out: "DEBIT", in: "CREDIT" } as const;

const ted = (nth: number, side: keyof typeof SIDES, amount: string, names: object = {}) => {
  const told = {
    transactionId: `t${nth}`,
    type: "TED" as const,
    amount,
    date: `2026-03-0${nth}T12:00:00Z`,
    description: "TED",
    direction: SIDES[side],
    ...names,
  };
  return {
    row: { ...told, status: "", directionWord: told.direction, unheardWord: "", isContradicted: false },
    item: told,
  };
};

it("marks and counts a returned TED that was ordered elsewhere", async () => {
  givenEnv();
  const db = await givenStore();
  const staffId = await givenStaff(db, "finance");
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, tenant: "aurora", roles: ["finance"] }));
  const told = [
    ted(1, "out", "313.65"),
    ted(2, "out", "219.50"),
    ted(3, "out", "90.00"),
    ted(4, "in", "313.65", { originalTransactionId: "t1" }),
    ted(5, "in", "219.50", { originalTransactionId: "t2" }),
    ted(6, "in", "89.00", { originalTransactionId: "t3" }),
    ted(7, "in", "90.00"),
  ];
  const reader = actorOf("finance", staffId, "accounts:read");
  await keepEntries(reader, `account:${randomUUID()}`, { told, unread: 0, heard: null });
  const march = { from: "2026-03-01", to: "2026-03-31" };
  expect((await getMovementSummary(march)).returned).toEqual({ count: 2, sum: "533.15" });
  const { rows } = await listMovements(march);
  expect(rows.flatMap(({ id, returnedAt }) => (returnedAt === null ? [] : [[id, returnedAt]]))).toEqual([
    ["t2", "2026-03-05T12:00:00.000Z"],
    ["t1", "2026-03-04T12:00:00.000Z"],
  ]);
});
