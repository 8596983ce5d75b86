import { expect, it, test } from "vitest";
import { doneOf, approvalOutcome, wordOf } from "@/lib/approvals/view";
import type { ApprovalState } from "@/lib/db/enums/approvals";

const ted = (state: ApprovalState) => ({ kind: "transfer.external", state }) as const;

test("says whether an expired request was never decided or never carried out", () => {
  expect(approvalOutcome(ted("EXPIRED"), null)).toBe("EXPIRED");
  expect(approvalOutcome(ted("EXPIRED"), "Marcos Azevedo")).toBe("EXPIRED_READY");
});

test("attributes a refusal to its decider, or to a rule when nobody decided", () => {
  expect(approvalOutcome(ted("REFUSED"), "Marcos Azevedo")).toBe("REFUSED");
  expect(approvalOutcome(ted("REFUSED"), null)).toBe("REFUSED_BY_RULE");
});

test("never says that a change of permissions went to the provider", () => {
  expect(approvalOutcome({ kind: "staff.roles", state: "PENDING" }, null)).toBe("PENDING_HERE");
  expect(approvalOutcome({ kind: "policy.loosen", state: "EXECUTED" }, "Camila Duarte")).toBe("EXECUTED_HERE");
  expect(approvalOutcome(ted("EXECUTED"), "Marcos Azevedo")).toBe("EXECUTED");
  expect([doneOf("staff.invite", "EXECUTED"), doneOf("crypto.transfer", "EXECUTED")]).toEqual([
    "EXECUTED_HERE",
    "EXECUTED",
  ]);
  expect(approvalOutcome({ kind: "privacy.more", state: "EXECUTED" }, "Marcos Azevedo")).toBe("EXECUTED_HERE");
  expect(approvalOutcome({ kind: "privacy.more", state: "PENDING" }, null)).toBe("PENDING");
});

const failed = { kind: "transfer.internal", state: "FAILED", code: null } as const;

it.each([
  [{ ...failed, state: "REFUSED" }, null, "REFUSED"],
  [failed, "refused", "PROVIDER_REFUSED"],
  [{ ...failed, code: "TRANSACTION_BLOCKED" }, "refused", "BLOCKED"],
  [{ ...failed, code: "maker-lost-right" }, null, "UNSENT"],
  [{ ...failed, code: "intent-reused" }, "refused", "UNSENT"],
  [{ ...failed, code: "ended-by-person" }, "said", "FAILED"],
  [{ ...failed, kind: "staff.roles" }, null, "FAILED"],
] as const)("describes %o, whose write was %s, as %s", (row, left, word) => {
  expect(wordOf(row, left)).toBe(word);
});
