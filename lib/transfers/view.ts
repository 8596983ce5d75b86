import type { AccountStanding } from "@/lib/db/enums/accounts";
import type { TransferKind } from "@/lib/db/enums/transfers";
import type { Told } from "@/lib/errors/result";
import type { Unfinished } from "@/lib/drafts/view";

/** Payment or savings account. */
export const ACCOUNT_TYPES = ["CACC", "SVGS"] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];

export const DESCRIPTION_MAX = 140;
export const USER_MAX = 200;

/** WAITING, and from DECLINED on: as its proposal stands; RETURNED: as a statement tells; the others: as the provider answered. */
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

export const PERIODS = ["1", "7", "30", "90"] as const;

type TypedPeriod = { period?: string | undefined; from?: string | undefined; to?: string | undefined };

/** The last so many days or two dates, whichever was set last: a period that is chosen is applied at once. */
export function settlePeriod<Given extends TypedPeriod>(asked: Given, before: string | undefined): Given {
  const { period = "", from = "", to = "" } = asked;
  if (period === "" || from + to === "") return asked;
  return period === before ? { ...asked, period: undefined } : { ...asked, from: undefined, to: undefined };
}

/** By what of a payee their other transfers are found. */
export const PAYEE_TRAITS = ["document", "name"] as const;
export type PayeeTrait = (typeof PAYEE_TRAITS)[number];

/**
 * The newest transfer to whom somebody looked for; null: none, or nothing that a transfer is found by. `restored`: by this
 * document, masked, of which the zeros at its beginning were not typed.
 */
export type PayeeFound =
  | { by: PayeeTrait; intentId: string | null; restored?: string }
  | { by: "pix-key" | "slip" | "number"; intentId: null };

/** In reais with two decimals, of those whose amount is known: what was ordered, and what of it is confirmed. */
export type TransferSum = { amount: string; confirmed: string; unknown: number };

/** In how many of São Paulo's days, today included, a like transfer is pointed out. */
export const REPEAT_DAYS = 3;

/** An account of the provider's; without a reference nobody looked it up here. */
export type AccountParty = {
  as: "account";
  name: string;
  ref: string | null;
  document: string | null;
  /** Their initials; null where they are not known here. */
  holder: string | null;
  /** As the provider told it last. */
  standing: AccountStanding;
};

/** Whom a TED pays, masked. */
export type Recipient = {
  as: "recipient";
  name: string;
  document: string;
  /** Null when the table does not have it. */
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

/** Named by what is typed already: from where, to whom, how much. */
export type UnfinishedTransfer = Unfinished & { kind: TransferKind; from: string };

/** Null when what was ordered does not open. */
export type Party = AccountParty | Recipient | null;

export type TransferRow = {
  /** Of the intent. */
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
  /** Why it was refused or not carried out; of an accepted one the provider's word for how it stands. */
  code: string | null;
  antifraudId: string | null;
  /** Of a held one: a debit in the statement that may be its own. */
  candidateId: string | null;
  /** Until when the provider's analyst decides, or somebody here may. */
  until: string | null;
  approvalId: string | null;
};

/** Sent or proposed lately, and like the one that is being ordered. */
export type TransferDuplicate = {
  ref: string;
  at: string;
  byName: string;
  state: TransferState;
  /** Nobody knows what became of it: no other one like it goes out. */
  isUnconfirmed: boolean;
};

/** What can happen to a transfer. */
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
  "unconfirmed",
  "accepted",
  "concluded",
  "contradicted",
  "returned",
  /** Of what the provider held: as it decided. */
  "released",
  "rejected",
  "lapsed",
] as const;
export type TransferEventKind = (typeof TRANSFER_EVENT_KINDS)[number];

export type TransferEvent = {
  kind: TransferEventKind;
  at: string;
  /** Null: the system, or the provider. */
  byName: string | null;
  isMine: boolean;
};

export type TransferRecord = {
  row: TransferRow;
  /** The request from which it came, where the reader may open it. */
  requestId: string | null;
  reason: string | null;
  description: string | null;
  userId: string | null;
  /** Null when the provider named none. */
  transactionId: string | null;
  /** The statement's entry that brought the money back, and when it was seen; null where none is known. */
  returned: { entryId: string; at: string } | null;
  /** While it is held: when the provider was last asked about it, and what speaks for its end without naming it. */
  hold: {
    askedAt: string | null;
    candidateId: string | null;
    lessBlocked: { amount: string; at: string } | null;
  } | null;
  told: Told | null;
  message: string | null;
  /** Sent although there was one like it. */
  isRepeat: boolean;
  /** Until it ends: how the provider is asked for its outcome. */
  asking: { attempts: number; firstSentAt: string | null; nextTryAt: string | null } | null;
  /** A person must say what became of it. */
  needsPerson: boolean;
  /** Said by a person, and not by the provider. */
  isSaid: boolean;
  /** The proposal by which somebody says what became of it. */
  conclusionId: string | null;
  /** Oldest first. */
  events: TransferEvent[];
  asOf: string;
};
