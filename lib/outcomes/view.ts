/** Writes of which it may stay unknown what became of them. */
export const OUTCOME_NAMES = [
  "kyc.decision",
  "kyc.start",
  "account.create",
  "account.close",
  "transfer.internal",
  "transfer.external",
  "crypto.transfer",
] as const;
export type OutcomeName = (typeof OUTCOME_NAMES)[number];

export const OUTCOMES = ["HAPPENED", "NOT_HAPPENED"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What somebody looked at who says what became of a write. */
export const EVIDENCE_SOURCES = ["provider-panel", "provider-support", "statement", "holder", "other"] as const;
export type EvidenceSource = (typeof EVIDENCE_SOURCES)[number];

export const REFERENCE_MAX = 120;
export const REASON_MAX = 500;

/** A write of which nobody knows what became of it, or of which the provider shows otherwise than somebody said. */
export type UnknownOutcome = {
  intentId: string;
  name: OutcomeName;
  /** What it was done to, as people know it; null when that does not open. */
  subject: string | null;
  /** Reais with two decimals; null for what moves none, or is no reais. */
  amount: string | null;
  /** The screen where it stands. */
  href: string | null;
  byName: string;
  /** ISO. */
  at: string;
  /** `asking`: the provider is asked again by itself; `held`: its analyst has yet to decide; `open`: a person must say. */
  state: "asking" | "held" | "open";
  /** What somebody said of it, which the provider contradicted then (ISO). */
  contradicted: { outcome: Outcome; byName: string; at: string } | null;
  /** Somebody said what became of it, and a second person has yet to agree. */
  approvalId: string | null;
  needsApproval: boolean;
};
