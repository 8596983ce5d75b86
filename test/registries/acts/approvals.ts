import { randomUUID } from "node:crypto";
import { givenStaff } from "@/test/support/console";
import type { Act, Acts } from "@/test/support/stage";

const POLICY = {
  intentId: randomUUID(),
  kind: "transfer.internal",
  version: 0,
  amount: null,
  expiresAfterHours: 24,
} as const;

const onApprovalRequest =
  (who: "maker" | "approver", more: () => object = () => ({})): Act =>
  async (stage) => {
    const approvalId = await stage.propose();
    const by = await stage.seat(who === "maker" ? stage.makerId : stage.approverId);
    return { by, input: { approvalId, ...more() } };
  };

export const APPROVAL_ACTS: Acts = {
  "writes.authoriseApproval": { "an authorisation": onApprovalRequest("approver") },
  "approvals.commentOnApproval": {
    "a comment": onApprovalRequest("maker", () => ({ commentId: randomUUID(), text: "Segue o contrato" })),
  },
  "approvals.refuseApproval": { "a refusal": onApprovalRequest("approver", () => ({ reason: "Falta o contrato" })) },
  "approvals.refuseApprovals": {
    "a refusal of several": async (stage) => {
      const approvalIds = [await stage.propose()];
      return { by: await stage.seat(stage.approverId), input: { approvalIds, reason: "Falta o contrato" } };
    },
  },
  "approvals.setApprovalPolicy": {
    "a change of the policy": async ({ seat, admin }) => ({
      by: await seat(admin),
      input: { ...POLICY, rule: "always" },
    }),
    "a proposal of a looser one": async (stage) => {
      await givenStaff(stage.db, "admin");
      return { by: await stage.seat(stage.admin), input: { ...POLICY, rule: "never" } };
    },
  },
  "approvals.withdrawApproval": { "a withdrawal": onApprovalRequest("maker") },
};
