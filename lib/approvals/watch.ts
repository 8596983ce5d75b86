import { APPROVAL_KINDS } from "@/lib/process/approval-kinds";
import type { Watch } from "@/lib/process/watch";
import { followIntents, recoverAuthorised, WATCH } from "./decide";
import { expireOverdue } from "./decide";

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
