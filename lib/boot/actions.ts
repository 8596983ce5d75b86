"use server";
import { action, stepUpAction } from "@/lib/action";
import { APPROVAL_KINDS } from "./approval-kinds";
import { comment } from "@/lib/approvals/comment";
import { orderPolicyChange } from "@/lib/approvals/change-policy";
import { Authorising, Commenting, PolicyChange, Refusing, Withdrawing } from "@/lib/approvals/inputs";
import { authorise, refuse } from "@/lib/approvals/decide";
import { withdraw } from "@/lib/approvals/withdraw";
import type { Concluded } from "@/lib/approvals/execute";
import { getTranslations } from "next-intl/server";
import { env } from "@/lib/settings/env";
import { db } from "@/lib/db/connection";
import { findAuthorised } from "@/lib/staff/approvals";
import { deliver } from "@/lib/staff/invitations";
import type { Delivered } from "@/lib/staff/inputs";
import { revealOne } from "@/lib/privacy/reveal";
import { clearRecordField } from "@/lib/accounts/records";
import { AskingMore, Revealing } from "@/lib/privacy/inputs";
import { askForMore } from "@/lib/privacy/more";

export const authoriseApproval = stepUpAction("approvals:authorize", Authorising, (approver, input) =>
  authorise(APPROVAL_KINDS, approver, input),
);
export const refuseApproval = action("approvals:authorize", Refusing, refuse);
export const withdrawApproval = action("approvals:read", Withdrawing, withdraw);
export const commentOnApproval = action("approvals:read", Commenting, comment);
export const setApprovalPolicy = stepUpAction("settings:manage", PolicyChange, orderPolicyChange);

type Agreed = Concluded & { delivered?: Delivered };

/** An invitation is sent by mail; without a mail server its link is shown to who authorised it. */
export const authoriseAccess = stepUpAction(
  "staff:manage",
  Authorising,
  async (admin, { approvalId }): Promise<Agreed> => {
    const concluded = await authorise(APPROVAL_KINDS, admin, { approvalId });
    if (concluded.state !== "EXECUTED") return concluded;
    const shownTo = env().mail === null ? admin.id : null;
    const invitation = await findAuthorised(await db(), { tenant: admin.tenant, approvalId, shownTo });
    if (invitation === null) return concluded;
    const delivered = await deliver(invitation, admin.tenant, await getTranslations("invitationMail"));
    return { ...concluded, delivered };
  },
);

export const revealDocument = action("pii:reveal", Revealing, (actor, asked) =>
  revealOne(actor, asked, clearRecordField),
);

export const askToRevealMore = action("pii:reveal", AskingMore, askForMore);
