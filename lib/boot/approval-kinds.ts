import type { KnownKind } from "@/lib/approvals/propose";
import { looseningApproval } from "@/lib/approvals/change-policy";
import { decisionApproval } from "@/lib/kyc/decide";
import { caseRulesApproval } from "@/lib/kyc/rules-approval";
import { factorApproval, invitationApproval, rolesApproval } from "@/lib/staff/approvals";
import { moreApproval } from "@/lib/privacy/more";
import { outcomeApproval } from "@/lib/unconfirmed/approvals";
import { cryptoApproval } from "@/lib/wallets/approvals";
import { externalApproval, internalApproval } from "@/lib/transfers/approvals";

export const APPROVAL_KINDS: readonly KnownKind[] = [
  decisionApproval,
  internalApproval,
  externalApproval,
  cryptoApproval,
  outcomeApproval,
  invitationApproval,
  rolesApproval,
  factorApproval,
  looseningApproval,
  caseRulesApproval,
  moreApproval,
];
