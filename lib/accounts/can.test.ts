import { expect, test } from "vitest";
import { accountCan } from "./can";

const obstacles = (account: Parameters<typeof accountCan.close>[0]) =>
  accountCan.close(account).map(({ obstacle }) => obstacle);

test("allows closing an empty open account", () => {
  expect(obstacles({ standing: "OPEN", balance: "0.00", blockedBalance: "0.00" })).toEqual([]);
});

test("allows closing when a balance is unknown", () => {
  expect(obstacles({})).toEqual([]);
});

test("lists every obstacle, the gravest first", () => {
  const account = { standing: "CLOSED", balance: "0.01", blockedBalance: "5.00" } as const;
  const all = { ...account, isProposed: true, isPending: true, hasTransfer: true };
  expect(obstacles(all)).toEqual(["closed", "proposed", "pending", "transfer", "balance", "blocked"]);
  expect(accountCan.close(all)[0]?.denial).toEqual({ kind: "conflict", code: "closing-closed" });
});

test("begins no closing while another is proposed, authorised or recently unanswered", () => {
  expect(accountCan.beginClosing(null, "OPEN")).toBeNull();
  expect(accountCan.beginClosing(null, "CLOSED")).toBe("closed");
  for (const state of ["PENDING", "READY", "AUTHORISED"] as const)
    expect(accountCan.beginClosing({ state }, "UNKNOWN")).toBe("proposed");
  expect(accountCan.beginClosing({ state: "UNKNOWN", isPending: true }, "OPEN")).toBe("pending");
  expect(accountCan.beginClosing({ state: "UNKNOWN", isPending: false }, "OPEN")).toBeNull();
});
