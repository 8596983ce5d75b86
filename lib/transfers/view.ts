import type { AccountStanding } from "@/lib/db/enums/accounts";
import type { TransferKind } from "@/lib/db/enums/transfers";
import type { Told } from "@/lib/errors/result";
import type { Unfinished } from "@/lib/drafts/view";

/** Payment or savings account. */
export const ACCOUNT_TYPES = ["CACC", "SVGS"] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];

export const DESCRIPTION_MAX = 140;
export const USER_MAX = 200;

/** WAITING, and from DECLINED on: the proposal's state; RETURNED: a statement's; the others: the provider's answer. */
export const TRANSFER_STATES = [
  "WAITING",
  "SENDING",
  "CONFIRMED",
  "RETURNED",
  "HELD",
  "ACCEPTED",
  "BLOCKED",
  "REFUSED",
  "UNKNOWN",
  "DECLINED",
  "WITHDRAWN",
  "EXPIRED",
  "FAILED",
] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

export const TRANSFER_VIEWS = ["all", "waiting", "held", "unanswered", "confirmed", "returned", "unpaid"] as const;
export type TransferView = (typeof TRANSFER_VIEWS)[number];

/** The payee's fields by which other transfers are found. */
export const PAYEE_TRAITS = ["document", "name"] as const;
export type PayeeTrait = (typeof PAYEE_TRAITS)[number];

/**
 * The newest transfer to the payee searched for; null: none, or nothing searchable. `restored`: looked for by this
 * masked document after adding its leading zeros.
 */
export type PayeeFound =
  | { by: PayeeTrait; intentId: string | null; restored?: string }
  | { by: "pix-key" | "slip" | "several" | "number"; intentId: null };

/** In reais with two decimals, of known amounts: the ordered sum, and its confirmed part. */
export type TransferSum = { amount: string; confirmed: string; unknown: number };

/** For how many São Paulo days, today included, a similar transfer is reported. */
export const REPEAT_DAYS = 3;

/** An account at the provider; without a reference nobody has looked it up here. */
export type AccountParty = {
  as: "account";
  name: string;
  ref: string | null;
  document: string | null;
  /** Their initials; null when unknown here. */
  holder: string | null;
  /** The provider's last reported status. */
  standing: AccountStanding;
};

/** A TED's payee, masked. */
export type Recipient = {
  as: "recipient";
  name: string;
  document: string;
  /** Null for an unlisted bank. */
  bank: string | null;
  ispb: string;
  code: number;
  branch: string;
  account: string;
  accountType: AccountType;
};

export type SavedPayee = {
  id: string;
  to: AccountParty | Recipient;
  /** When a transfer to its account was last confirmed; null: never. */
  paidAt: string | null;
};

export const PAYEES_MAX = 100;

export type PayeeList = { payees: SavedPayee[]; hasMore: boolean };

/** Named by its typed values: payer, payee and amount. */
export type UnfinishedTransfer = Unfinished & { kind: TransferKind; from: string };

/** Null when the order does not open. */
export type Party = AccountParty | Recipient | null;

export type TransferRow = {
  /** The intent's id. */
  id: string;
  kind: TransferKind;
  state: TransferState;
  /** Reais with two decimals; null when it does not open. */
  amount: string | null;
  from: AccountParty;
  to: Party;
  byName: string;
  isMine: boolean;
  at: string;
  /** Why it was refused or not executed; for an accepted one the provider's word. */
  code: string | null;
  antifraudId: string | null;
  /** For a held one: a debit in the statement that may be its own. */
  candidateId: string | null;
  /** The deadline of the provider's analyst, or of our approver. */
  until: string | null;
  approvalId: string | null;
};

/** Recently sent or proposed, and similar to the new order. */
export type TransferDuplicate = {
  ref: string;
  at: string;
  byName: string;
  state: TransferState;
  /** Its outcome is unknown: no similar one is sent. */
  isUnconfirmed: boolean;
};

/** Events of a transfer. */
export const TRANSFER_EVENT_KINDS = [
  "proposed",
  "authorised",
  "declined",
  "withdrawn",
  "expired",
  "unsent",
  "sent",
  "confirmed",
  "held",
  "refused",
  "blocked",
  "unconfirmed",
  "accepted",
  "concluded",
  "contradicted",
  "returned",
  /** The provider's decision on a hold. */
  "released",
  "rejected",
  "lapsed",
] as const;
export type TransferEventKind = (typeof TRANSFER_EVENT_KINDS)[number];

export type TransferEvent = {
  kind: TransferEventKind;
  at: string;
  /** Of the provider's decision on a hold: when it was seen here, and whether `at` is the provider's own time. */
  decision: { seenAt: string; isTold: boolean } | null;
  /** Null: the system, or the provider. */
  byName: string | null;
  isMine: boolean;
};

export type TransferRecord = {
  row: TransferRow;
  /** The request behind it, when the reader may open it. */
  requestId: string | null;
  reason: string | null;
  description: string | null;
  userId: string | null;
  /** Null when the provider named none. */
  transactionId: string | null;
  /** The statement entry that returned the money, and when it was seen; null when there is none. */
  returned: { entryId: string; at: string } | null;
  /** While it is held: when the provider was last asked, and evidence of an end that does not name it. */
  hold: {
    askedAt: string | null;
    candidateId: string | null;
    lessBlocked: { amount: string; at: string } | null;
  } | null;
  told: Told | null;
  message: string | null;
  /** Sent despite a similar one. */
  isRepeat: boolean;
  /** Until it ends: how the provider is asked for its outcome. */
  asking: { attempts: number; firstSentAt: string | null; nextTryAt: string | null } | null;
  /** A person must settle it. */
  needsPerson: boolean;
  /** Settled by a person, not by the provider. */
  isSaid: boolean;
  /** The proposal that settles it. */
  conclusionId: string | null;
  /** Oldest first. */
  events: TransferEvent[];
  asOf: string;
};
