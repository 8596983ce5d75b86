/** The kinds of record that are one customer's. */
export const CUSTOMER_KINDS = ["account", "onboarding", "kyc"] as const;
export type CustomerKind = (typeof CUSTOMER_KINDS)[number];

/** A record of one customer's, as the audit names it. */
export type CustomerObject = `${CustomerKind}:${string}`;

/** Why somebody needs to see a document in clear. */
export const REVEAL_REASONS = ["service", "verification", "fraud", "authority"] as const;
export type RevealReason = (typeof REVEAL_REASONS)[number];

/** Those that keep the document itself; a KYC case has what the provider masks. */
export const REVEALING_KINDS = ["account", "onboarding"] as const satisfies readonly CustomerKind[];
export type RevealingKind = (typeof REVEALING_KINDS)[number];

export const NOTE_MIN_LENGTH = 10;
export const NOTE_MAX_LENGTH = 500;

/** How long a revealed document stands on the screen. */
export const SHOWN_FOR_MS = 60_000;

/** A document in clear, as it is shown to one person. */
export type Revealed = {
  /** With its points. */
  document: string;
  /** E-mail of the person it is shown to. */
  shownTo: string;
  /** ISO 8601. */
  at: string;
};
