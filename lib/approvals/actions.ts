"use server";

import { action, stepUpAction } from "@/lib/action";
import { orderPolicyChange } from "./change-policy";
import { comment } from "./comment";
import { refuseRequest } from "./decide";
import { Commenting, PolicyChange, Refusing, RefusingMany, Seeing, Withdrawing } from "./inputs";
import { seeResults as noteResults } from "./owed";
import { refuseMany } from "./refuse-many";
import { withdraw } from "./withdraw";

export const refuseApproval = action("approvals:authorize", Refusing, refuseRequest);
export const refuseApprovals = action("approvals:authorize", RefusingMany, refuseMany);
export const withdrawApproval = action("approvals:read", Withdrawing, withdraw);
export const seeResults = action("approvals:read", Seeing, noteResults);
export const commentOnApproval = action("approvals:read", Commenting, comment);
export const setApprovalPolicy = stepUpAction("settings:manage", PolicyChange, orderPolicyChange);
