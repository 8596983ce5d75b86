import type { ENTRY_DIRECTIONS, ENTRY_TYPES } from "@/lib/contract/accounts";
import type { ReportedField } from "@/lib/text/reported-fields";
import type { ClosingObstacle } from "./can";
import { hrefWith } from "@/lib/text/page";
import { providerText, providerWord } from "@/lib/text/provider-word";

/** Of the reason, which the provider is told. */
export const CLOSING_REASON_MAX = 500;
export const CLOSING_USER_MAX = 200;

/** What should be known before, and keeps nothing from being done. */
export type ClosingNote = "transfer-proposed" | "onboarding-open" | "status-untold";

/** What stands before a closure; amounts are decimal strings in reais, `asOf` is ISO. */
export type ClosingTerms = {
  balance: string;
  blockedBalance: string;
  asOf: string;
  /** The policy asks for a second person. */
  needsApproval: boolean;
  obstacles: ClosingObstacle[];
  notes: ClosingNote[];
  waiting: { sum: string; count: number };
  user: AccountUser | null;
};

/** How far the closure of an account has come; times are ISO. */
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
      maker: string;
      at: string;
      seenOpenAt: string | null;
      /** The provider's own, where it took it and neither confirmed nor refused; null where nothing came back. */
      word: string | null;
      approvalId: string | null;
    }
  | { state: "CLOSED"; maker: string; at: string; decider: string | null; approvalId: string | null; reason: string };

export const ACCOUNT_VIEWS = ["all", "open", "blocked", "closed", "untold"] as const;
export type AccountsView = (typeof ACCOUNT_VIEWS)[number];

export const ACCOUNT_ORDERS = ["opened", "number", "balance"] as const;
export type AccountOrder = (typeof ACCOUNT_ORDERS)[number];

/** What can happen to an account, as far as this console knows of it. */
const ACCOUNT_EVENT_KINDS = [
  /** The provider opened it, as its onboarding told. */
  "opened",
  /** First kept here. */
  "known",
  "closing-proposed",
  "closing-authorised",
  "closing-refused",
  "closing-withdrawn",
  "closing-expired",
  /** It could not be carried out, and nothing was sent. */
  "closing-failed",
  /** Sent, and not answered yet. */
  "closing-sent",
  /** The provider said no. */
  "closing-rejected",
  "closing-without-effect",
  "closed",
] as const;
export type AccountEventKind = (typeof ACCOUNT_EVENT_KINDS)[number];

export type AccountEvent = {
  /** ISO. */
  at: string;
  kind: AccountEventKind;
  /** Null: the provider, or nobody. */
  byName: string | null;
  isMine: boolean;
};

/** What the provider's record may say of the holder, by the interface's names, in the order in which it is shown. */
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

/** And of the account. */
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

/** What the provider may say of one transaction, by the interface's names. */
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

/** The provider's words for an entry that have a name here, by field: each stands in `statement.words`. */
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

/** Null: it stays as the provider wrote it. */
export function entryWordOf(field: EntryFieldName | null, text: string): EntryWord | null {
  return (field === null ? undefined : WORDS_OF[field])?.find((word) => word === providerWord(text)) ?? null;
}

/** For where no element can stand; elsewhere see `EntryWord` of the screens. */
export function entryText(field: EntryFieldName, text: string, say: (word: EntryWord) => string): string {
  const word = entryWordOf(field, text);
  return word === null ? providerText(text) : say(word);
}

/** Of persons, accounts and PIX keys in the provider's records: each stands in `statement.types`. */
export const TYPE_WORDS = ["PF", "PJ", "CACC", "SVGS", "PHONE", "EMAIL", "EVP"] as const;

/** Why nobody knows whether all that the period holds is shown. */
export type StatementDoubt = "repeated" | "other-page" | "first-page" | "total";

/** What is understood of a PIX key's answer, in the order in which it is shown. */
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

/** Whose a PIX key is, as the provider told at `asOf` (ISO); fields that are not understood have no name. */
export type PixKeyHolder = {
  /** Masked where it is a document. */
  pixKey: string;
  fields: ReportedField<PixKeyFieldName>[];
  /** The account that is kept here of which the key is; null: none is known. */
  own: { ref: string; name: string } | null;
  asOf: string;
};

/** What a file with names in clear is called where its reason is told. */
export const STATEMENT_FILE = "statement";
export const receiptFile = ({ transaction }: { transaction: string }) => `receipt ${transaction}`;

/** `restored`: by this document, masked, of which the zeros at its beginning were not typed. */
export type FoundRecord = ({ accountRef: string; entry?: string } | { onboardingRef: string }) & { restored?: string };

export const foundHref = (found: FoundRecord): string =>
  "accountRef" in found
    ? hrefWith(`/accounts/${found.accountRef}`, { entry: found.entry })
    : `/onboarding/${found.onboardingRef}`;

/** How the provider names who uses an account; `typed`: by whom here, and the provider did not say that it is so. */
export type AccountUser = { userId: string; typed: { byName: string; at: string } | null };
