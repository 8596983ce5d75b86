import { APPROVABLE_WRITES } from "@/lib/writes/approvable";
import type { Watch } from "@/lib/watch/watch";
import { expireOverdue } from "@/lib/approvals/expire";
import { endRestored } from "@/lib/approvals/restore";
import { followIntents, recoverAuthorised, WATCH } from "@/lib/approvals/execute";

/** Ends overdue proposals, resumes interrupted executions, and follows held or unknown ones. */
export const approvalsWatch: Watch = {
  name: "approvals",
  topic: "approvals",
  async sweep(tenant) {
    await endRestored(tenant, ["crypto.transfer"], WATCH);
    await expireOverdue(tenant, WATCH);
    await followIntents(tenant);
    await recoverAuthorised(APPROVABLE_WRITES, tenant);
  },
};
