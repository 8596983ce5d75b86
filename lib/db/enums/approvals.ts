/** PENDING: for a second person; READY: for its maker; AUTHORISED: being carried out; HELD: with the provider's analyst. */
export const APPROVAL_STATES = [
  "PENDING",
  "READY",
  "AUTHORISED",
  "EXECUTED",
  "HELD",
  "FAILED",
  "UNKNOWN",
  "REFUSED",
  "WITHDRAWN",
  "EXPIRED",
] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

export const POLICY_RULES = ["never", "above", "on-redecision", "always"] as const;
export type PolicyRule = (typeof POLICY_RULES)[number];

export const APPROVAL_KIND_NAMES = [
  "kyc.decision",
  "transfer.internal",
  "transfer.external",
  "crypto.transfer",
  "account.close",
  "outcome.end",
  "staff.invite",
  "staff.roles",
  "staff.reset-factor",
  "policy.loosen",
  "kyc.rules",
  "privacy.more",
] as const;
export type ApprovalKindName = (typeof APPROVAL_KIND_NAMES)[number];
