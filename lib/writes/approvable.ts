import { loosenPolicy } from "@/lib/approvals/change-policy";
import type { ApprovableWrite } from "@/lib/approvals/define-write";
import { loosenRules } from "@/lib/kyc/change-rules";
import { endOutcome } from "@/lib/outcomes/end-outcome";
import type { ApprovalKindName, OutcomeName } from "@/lib/permission/writes";
import { revealMore } from "@/lib/privacy/more";
import { SENT_WRITES } from "@/lib/sent-writes";
import { giveRoles, inviteStaff, resetFactor } from "@/lib/staff/approvals";

/** Every change of our own store that may need a second person, by its name in `WRITE_TERMS`. */
const CHANGES = {
  "outcome.end": endOutcome,
  "staff.invite": inviteStaff,
  "staff.roles": giveRoles,
  "staff.reset-factor": resetFactor,
  "policy.loosen": loosenPolicy,
  "kyc.rules": loosenRules,
  "privacy.more": revealMore,
} as const satisfies { [Name in Exclude<ApprovalKindName, OutcomeName>]: ApprovableWrite & { name: Name } };

export const APPROVABLE_WRITES: readonly ApprovableWrite[] = [
  ...SENT_WRITES.filter((write) => write.approval !== null),
  ...Object.values(CHANGES),
];
