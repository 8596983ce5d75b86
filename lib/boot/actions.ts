"use server";
import { action, stepUpAction } from "@/lib/action";
import { APPROVAL_KINDS } from "./approval-kinds";
import { comment } from "@/lib/approvals/records";
import { orderPolicyChange } from "@/lib/approvals/propose";
import { Authorising, Commenting, PolicyChange, Refusing, Withdrawing } from "@/lib/approvals/inputs";
import { authorise, refuse, withdraw } from "@/lib/approvals/decide";

export const authoriseApproval = stepUpAction("approvals:authorize", Authorising, (approver, input) =>
  authorise(APPROVAL_KINDS, approver, input),
);
export const refuseApproval = action("approvals:authorize", Refusing, refuse);
export const withdrawApproval = action("approvals:read", Withdrawing, withdraw);
export const commentOnApproval = action("approvals:read", Commenting, comment);
export const setApprovalPolicy = stepUpAction("settings:manage", PolicyChange, orderPolicyChange);
