export const OUTCOME_NAMES = [
  "kyc.decision",
  "kyc.start",
  "account.create",
  "account.close",
  "transfer.internal",
  "transfer.external",
  "crypto.transfer",
  "wallet.create",
  "wallet.address",
] as const;
export type OutcomeName = (typeof OUTCOME_NAMES)[number];

export const OUTCOMES = ["HAPPENED", "NOT_HAPPENED"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const EVIDENCE_SOURCES = ["provider-panel", "provider-support", "statement", "holder", "other"] as const;
export type EvidenceSource = (typeof EVIDENCE_SOURCES)[number];
