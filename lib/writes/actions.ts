"use server";

import { getTranslations } from "next-intl/server";
import { stepUpAction } from "@/lib/action";
import { authorise } from "@/lib/approvals/decide";
import type { Concluded } from "@/lib/approvals/execute";
import { Authorising } from "@/lib/approvals/inputs";
import { db } from "@/lib/db/connection";
import { env } from "@/lib/settings/env";
import { findAuthorised } from "@/lib/staff/approvals";
import type { Delivered } from "@/lib/staff/inputs";
import { deliver } from "@/lib/staff/invitations";
import { APPROVABLE_WRITES } from "./approvable";

export const authoriseApproval = stepUpAction("approvals:authorize", Authorising, (approver, input) =>
  authorise(APPROVABLE_WRITES, approver, input),
);

type Agreed = Concluded & { delivered?: Delivered };

/** An invitation goes by mail; without a mail server its link is shown to the person who authorised it. */
export const authoriseAccess = stepUpAction(
  "staff:manage",
  Authorising,
  async (admin, { approvalId }): Promise<Agreed> => {
    const concluded = await authorise(APPROVABLE_WRITES, admin, { approvalId });
    if (concluded.state !== "EXECUTED") return concluded;
    const shownTo = env().mail === null ? admin.id : null;
    const invitation = await findAuthorised(await db(), { tenant: admin.tenant, approvalId, shownTo });
    if (invitation === null) return concluded;
    const delivered = await deliver(invitation, admin.tenant, await getTranslations("invitationMail"));
    return { ...concluded, delivered };
  },
);
