import { APPROVAL_KINDS } from "./approval-kinds";
import type { Watch } from "@/lib/watch/watch";
import { expireOverdue } from "@/lib/approvals/expire";
import { followIntents, recoverAuthorised, WATCH } from "@/lib/approvals/execute";

/** Ends overdue proposals, takes up what died while it was being carried out, and follows what was held or not known. */
export const approvalsWatch: Watch = {
  name: "approvals",
  topic: "approvals",
  async sweep(tenant) {
    await expireOverdue(tenant, WATCH);
    await followIntents(tenant);
    await recoverAuthorised(APPROVAL_KINDS, tenant);
  },
};
