/** Separate from the schema, because the browser reads it. */
export const DEPOSIT_CLASSES = ["expected", "arrived", "late", "twice", "unattributed", "untold"] as const;
export type DepositClass = (typeof DEPOSIT_CLASSES)[number];

/** How far an arrival is known: `told` by an event alone, `summed` by a sweep alone. */
export const DEPOSIT_STAGES = ["told", "unconfirmed", "confirmed", "swept", "summed", "dropped", "failed"] as const;
export type DepositStage = (typeof DEPOSIT_STAGES)[number];

/** Why it is in its class, where that says more: what is missing, or that nothing was ever expected of its reference. */
export const DEPOSIT_CAUSES = [
  "no-reference",
  "unknown-address",
  "other-amount",
  "sum",
  "unexpected",
  "withdrawn",
] as const;
export type DepositCause = (typeof DEPOSIT_CAUSES)[number];

export const DEPOSIT_REASONS = [
  "waiting-customer",
  "asked-provider",
  "wrong-amount",
  "wrong-asset",
  "paid-twice",
  "refunded",
  "accepted",
  "other",
] as const;

/** Why nobody expects it any more. */
export const WITHDRAWAL_REASONS = ["mistyped", "cancelled", "expected-twice"] as const;

export type DepositReason = (typeof DEPOSIT_REASONS | typeof WITHDRAWAL_REASONS)[number];

/** By what somebody asked whether a customer paid: the most precise of it that is known. */
export const ASKED_BY = ["hash", "address", "reference", "foreign-address", "nothing"] as const;
export type AskedBy = (typeof ASKED_BY)[number];

export const PAID_VERDICTS = [
  "paid",
  "no-event",
  "swept",
  "told",
  "unconfirmed",
  "dropped",
  "failed",
  "other-network",
  "other-asset",
  "short",
  "over",
  "other-reference",
  "own-wallet",
  "left",
  "not-seen",
  "not-seen-in-part",
  "hash-nowhere",
  "not-ours",
  "unknown",
  "no-address",
  "unread",
] as const;
export type PaidVerdict = (typeof PAID_VERDICTS)[number];

/** A movement of a chain as it is stored. */
export type EntryPlace = { walletId: string; network: string; key: string; ordinal: number };

/** What says that a deposit arrived: events, its own entry, and the sweep that took it along. */
export type Evidence = { notices: string[]; entry: EntryPlace | null; sweep: EntryPlace | null };
