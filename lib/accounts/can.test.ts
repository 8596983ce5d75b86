import { expect, test } from "vitest";
import { accountCan } from "./can";

const obstacles = (account: Parameters<typeof accountCan.close>[0]) =>
  accountCan.close(account).map(({ obstacle }) => obstacle);

test("nothing keeps an empty open account from being closed", () => {
  expect(obstacles({ standing: "OPEN", balance: "0.00", blockedBalance: "0.00" })).toEqual([]);
});

test("what is not known keeps nothing from being closed", () => {
  expect(obstacles({})).toEqual([]);
});

test("every obstacle is told, the weightiest first", () => {
  const account = { standing: "CLOSED", balance: "0.01", blockedBalance: "5.00" } as const;
  const all = { ...account, isProposed: true, isPending: true, hasTransfer: true };
  expect(obstacles(all)).toEqual(["closed", "proposed", "pending", "transfer", "balance", "blocked"]);
  expect(accountCan.close(all)[0]?.denial).toEqual({ kind: "conflict", code: "closing-closed" });
});
