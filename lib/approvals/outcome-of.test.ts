import { expect, test } from "vitest";
import { doneOf, outcomeOf } from "@/lib/approvals/view";
import type { ApprovalState } from "@/lib/db/enums/approvals";

const ted = (state: ApprovalState) => ({ kind: "transfer.external", state }) as const;

test("an expired request says whether it was never decided or never carried out", () => {
  expect(outcomeOf(ted("EXPIRED"), null)).toBe("EXPIRED");
  expect(outcomeOf(ted("EXPIRED"), "Marcos Azevedo")).toBe("EXPIRED_READY");
});

test("a refusal is its decider's, or a rule's where nobody decided", () => {
  expect(outcomeOf(ted("REFUSED"), "Marcos Azevedo")).toBe("REFUSED");
  expect(outcomeOf(ted("REFUSED"), null)).toBe("REFUSED_BY_RULE");
});

test("what changes who may do what is never said to have gone to the provider", () => {
  expect(outcomeOf({ kind: "staff.roles", state: "PENDING" }, null)).toBe("PENDING_HERE");
  expect(outcomeOf({ kind: "policy.loosen", state: "EXECUTED" }, "Camila Duarte")).toBe("EXECUTED_HERE");
  expect(outcomeOf(ted("EXECUTED"), "Marcos Azevedo")).toBe("EXECUTED");
  expect([doneOf("staff.invite", "EXECUTED"), doneOf("crypto.transfer", "EXECUTED")]).toEqual([
    "EXECUTED_HERE",
    "EXECUTED",
  ]);
  expect(outcomeOf({ kind: "privacy.more", state: "EXECUTED" }, "Marcos Azevedo")).toBe("EXECUTED_HERE");
  expect(outcomeOf({ kind: "privacy.more", state: "PENDING" }, null)).toBe("PENDING");
});
