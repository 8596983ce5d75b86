/** What is kept for a while, by class. */
export const RETENTION_CLASS_NAMES = [
  "calls",
  "webhooks",
  "open-pages",
  "drafts",
  "sessions",
  "order-bodies",
  "onboardings",
  "kyc",
  "casework",
  "reveals",
  "approvals",
  "audit",
] as const;
export type RetentionClassName = (typeof RETENTION_CLASS_NAMES)[number];

/** The kinds of record that are one customer's. */
export const CUSTOMER_KINDS = ["account", "onboarding", "kyc"] as const;
export type CustomerKind = (typeof CUSTOMER_KINDS)[number];

/** A record of one customer's, as the audit names it. */
export type CustomerObject = `${CustomerKind}:${string}`;

/** Why somebody needs to see it in clear. */
export const REVEAL_REASONS = ["service", "verification", "fraud", "authority"] as const;
export type RevealReason = (typeof REVEAL_REASONS)[number];

/** What of a record is shown in clear at once: `identity` is the name with birth date and mother, of a case started here. */
export const REVEAL_FIELDS = ["document", "identity"] as const;
type RevealField = (typeof REVEAL_FIELDS)[number];

/** What somebody asks to see of a record; `member` counts the partners of a company from 0, null: the customer. */
export type RevealTarget = { kind: CustomerKind; id: string; field: RevealField; member: number | null };

export const NOTE_MIN_LENGTH = 10;
export const NOTE_MAX_LENGTH = 500;

/** How long what was revealed stands on the screen. */
export const SHOWN_FOR_MS = 60_000;

/** What was asked for in clear, as it is shown to one person. */
export type Revealed = {
  /** A document with its points. */
  text: string;
  /** E-mail of the person it is shown to. */
  shownTo: string;
  /** ISO 8601. */
  at: string;
};
