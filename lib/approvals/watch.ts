import { APPROVAL_KINDS } from "@/lib/approval-kinds";
import type { Watch } from "@/lib/watch";
import { followIntents, recoverAuthorised, WATCH } from "./execute";
import { expireOverdue } from "./expire";

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
