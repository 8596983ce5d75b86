import type { ENTRY_DIRECTIONS, ENTRY_TYPES } from "@/lib/contract/accounts";
import type { ReportedField } from "@/lib/text/reported-fields";
import type { ShownField } from "@/lib/text/shown-body";
import type { ClosingObstacle } from "./can";
import { hrefWith } from "@/lib/text/page";
import { providerText, providerWord } from "@/lib/text/provider-word";

/** Characters of the reason, which the provider receives. */
export const CLOSING_REASON_MAX = 500;
export const CLOSING_USER_MAX = 200;

/** Warnings that do not block the closing. */
export type ClosingNote = "transfer-proposed" | "transfer-arriving" | "onboarding-open" | "status-untold";

/** Of an account that somebody pays from or to; an open one has none. */
export type ClosingState = "CLOSED" | "CLOSING";

/** Everything about a possible closing; amounts are decimal strings in reais, `asOf` is ISO. */
export type ClosingTerms = {
  balance: string;
  blockedBalance: string;
  asOf: string;
  /** The policy requires a second person. */
  needsApproval: boolean;
  obstacles: ClosingObstacle[];
  notes: ClosingNote[];
  waiting: { sum: string; count: number };
  arriving: { sum: string; count: number };
  user: AccountUser | null;
};

/** The progress of a closing; times are ISO. */
export type Closing =
  | {
      state: "PENDING" | "READY" | "AUTHORISED";
      approvalId: string;
      maker: string;
      isMine: boolean;
      /** Who authorised it. */
      decider: string | null;
      expiresAt: string;
    }
  | {
      state: "UNKNOWN";
      intentId: string;
      /** Whether another one must wait for it. */
      isPending: boolean;
      maker: string;
      at: string;
      seenOpenAt: string | null;
      /** The provider's word when it neither confirmed nor refused; null without an answer. */
      word: string | null;
      approvalId: string | null;
    }
  | { state: "CLOSED"; maker: string; at: string; decider: string | null; approvalId: string | null; reason: string };

export const ACCOUNT_VIEWS = ["all", "open", "blocked", "closed", "untold"] as const;
export type AccountsView = (typeof ACCOUNT_VIEWS)[number];

export const ACCOUNT_ORDERS = ["opened", "number", "balance"] as const;
export type AccountOrder = (typeof ACCOUNT_ORDERS)[number];

/** Events of an account, as far as this console knows. */
const ACCOUNT_EVENT_KINDS = [
  /** Opened by the provider, according to its onboarding. */
  "opened",
  /** First stored here. */
  "known",
  "closing-proposed",
  "closing-authorised",
  "closing-refused",
  "closing-withdrawn",
  "closing-expired",
  /** Failed before anything was sent. */
  "closing-failed",
  /** Sent, without an answer yet. */
  "closing-sent",
  /** Refused by the provider. */
  "closing-rejected",
  "closing-without-effect",
  "closed",
] as const;
export type AccountEventKind = (typeof ACCOUNT_EVENT_KINDS)[number];

export type AccountEvent = {
  /** ISO. */
  at: string;
  kind: AccountEventKind;
  /** Null for the provider or nobody. */
  byName: string | null;
  isMine: boolean;
};

/** The holder's fields by their interface names, in display order. */
const PARTNER = /(?:^|\.)(?:owners?|partners?|socios?|qsa|quadro_?societario|members)\[(\d{1,9})\]$/i;

/** From 1, of an entry such as `legalPerson.owner[1]`; null: not of a partner. */
export function partnerNumber(entry: string): number | null {
  const place = PARTNER.exec(entry)?.[1];
  return place === undefined ? null : Number(place) + 1;
}

export const HOLDER_FIELDS = [
  "fullName",
  "businessName",
  "tradingName",
  "documentNumber",
  "birthDate",
  "establishmentDate",
  "motherName",
  "email",
  "businessEmail",
  "phoneNumber",
  "contactNumber",
  "isPoliticallyExposedPerson",
  "address",
  "businessAddress",
] as const;

export const ACCOUNT_FIELDS = [
  "status",
  "type",
  "branch",
  "account",
  "accountId",
  "userId",
  "onBoardingId",
  "clientCode",
  "createdAt",
  "closedAt",
  "closingReason",
] as const;

export type RecordFieldName = (typeof HOLDER_FIELDS)[number] | (typeof ACCOUNT_FIELDS)[number];

/** A transaction's fields by their interface names. */
export const ENTRY_FIELDS = [
  "transactionId",
  "endToEndId",
  "status",
  "type",
  "direction",
  "amount",
  "date",
  "description",
  "name",
  "documentNumber",
  "bankName",
  "institutionCode",
  "institutionIspb",
  "branch",
  "account",
  "bankAccountType",
  "accountId",
  "antifraudId",
  "pendingExpiresAt",
  "decidedAt",
] as const;
export type EntryFieldName = (typeof ENTRY_FIELDS)[number];

/** The provider's entry words with a translation, by field, under `statement.words`. */
export const ENTRY_WORDS = {
  status: ["CONFIRMED", "HELD", "RELEASED", "REJECTED", "EXPIRED", "BLOCKED"],
  type: ["PIX", "TED", "INTERNAL", "FEE"],
  direction: ["CREDIT", "DEBIT"],
  bankAccountType: ["CACC", "SVGS"],
} as const satisfies { type: typeof ENTRY_TYPES; direction: typeof ENTRY_DIRECTIONS } & Partial<
  Record<EntryFieldName, readonly string[]>
>;
export type EntryWord = (typeof ENTRY_WORDS)[keyof typeof ENTRY_WORDS][number];

const WORDS_OF: Partial<Record<EntryFieldName, readonly EntryWord[]>> = ENTRY_WORDS;

/** Null when the word stays as the provider wrote it. */
export function entryWordOf(field: EntryFieldName | null, text: string): EntryWord | null {
  return (field === null ? undefined : WORDS_OF[field])?.find((word) => word === providerWord(text)) ?? null;
}

/** For places that take only text; elsewhere use `EntryWord`. */
export function entryText(field: EntryFieldName, text: string, say: (word: EntryWord) => string): string {
  const word = entryWordOf(field, text);
  return word === null ? providerText(text) : say(word);
}

/** Words for persons, accounts and PIX keys in the provider's records, under `statement.types`. */
export const TYPE_WORDS = ["PF", "PJ", "CACC", "SVGS", "PHONE", "EMAIL", "EVP"] as const;

/** Why the period may be incomplete. */
export type StatementDoubt = "repeated" | "other-page" | "first-page" | "total";

/** Known fields of a PIX key's answer, in display order. */
export const PIX_KEY_FIELDS = [
  "name",
  "documentNumber",
  "type",
  "bank",
  "ispb",
  "branch",
  "account",
  "accountType",
  "accountId",
  "keyType",
  "pixKey",
] as const;
export type PixKeyFieldName = (typeof PIX_KEY_FIELDS)[number];

/** A PIX key's holder as the provider answered at `asOf` (ISO); unknown fields have no name. */
export type PixKeyHolder = {
  /** Masked when it is a document. */
  pixKey: string;
  fields: ReportedField<PixKeyFieldName>[];
  /** Our stored account with this key; null when none is known. */
  own: { ref: string; name: string } | null;
  asOf: string;
};

export const STATEMENT_PRESETS = ["today", "7", "30", "90", "month"] as const;

/** The name of a file with names in clear, in its reason. */
export const STATEMENT_FILE = "statement";
export const LETTER_FILE = "letter";
export const receiptFile = ({ transaction }: { transaction: string }) => `receipt ${transaction}`;

/** `restored`: found by this masked document after adding the leading zeros. */
export type FoundRecord = ({ accountRef: string; entry?: string } | { onboardingRef: string }) & { restored?: string };

export const foundHref = (found: FoundRecord): string =>
  "accountRef" in found
    ? hrefWith(`/accounts/${found.accountRef}`, { entry: found.entry })
    : `/onboarding/${found.onboardingRef}`;

/** The provider's user id of an account; `typed`: entered here by whom, without the provider's confirmation. */
export type AccountUser = { userId: string; typed: { byName: string; at: string } | null };

export type StatementRow = {
  transactionId: string;
  amount: string;
  description: string;
  /** The provider's word, documents masked. */
  type: string;
  /** An instant in UTC or a day, in ISO; what is no time as the provider wrote it, documents masked. */
  date: string;
  /** Null when neither the provider's word nor the amount's sign says it, or when they contradict each other. */
  direction: "CREDIT" | "DEBIT" | null;
  /** The provider's own word for the direction; empty when it has none. */
  directionWord: string;
  /** That word again, where we know none like it and the sign says which way it went; empty otherwise. */
  unheardWord: string;
  isContradicted: boolean;
  /** The provider's word for how far it is; empty when it has none, as of what is booked. */
  status: string;
};

/** An entry that could not be read, as the provider sent it. */
export type UnreadRow = { fields: ShownField[] };
