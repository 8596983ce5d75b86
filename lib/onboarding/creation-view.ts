import type { OnboardingStatus } from "@/lib/contract/onboarding";
import type { OnboardingKind } from "./view";

// Apart from the schemas, because the browser reads it.

/** More partners than any form holds are asked for at the provider's. */
export const OWNERS_MAX = 8;

/** Of the federation, and its district. */
export const STATES: readonly string[] =
  "AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO".split(" ");

export const PASSWORD_MIN_LENGTH = 6;
export const PASSWORD_MAX_LENGTH = 64;

/** What the form asks for, part by part; of a company also its owners. */
export const FORM_STEPS = {
  PF: ["who", "contact", "documents", "review"],
  PJ: ["who", "contact", "owners", "documents", "review"],
} as const satisfies Record<OnboardingKind, readonly string[]>;
export type FormStep = (typeof FORM_STEPS)[OnboardingKind][number];

const PLACES: readonly (readonly [RegExp, FormStep])[] = [
  [/^(transactionPassword|passwordAgain)$/, "review"],
  [/^bankDocuments\b/, "documents"],
  [/^legalPerson\.owner\b/, "owners"],
  [/^email$|\.(email|businessEmail|phoneNumber|contactNumber)$|\.(address|businessAddress)\b/, "contact"],
];

/** The part of the form that holds this field, by its dotted path. */
export const stepOf = (field: string): FormStep => PLACES.find(([fits]) => fits.test(field))?.[1] ?? "who";

/** An onboarding of the same document that goes on or led to an account, or a request whose end nobody knows. */
export type AccountLikeness = {
  /** What a person who goes on all the same has seen. */
  ref: string;
  /** Our id of the onboarding; null: not known yet. */
  id: string | null;
  /** ISO. */
  at: string;
  /** Null: it was begun elsewhere. */
  byName: string | null;
  status: OnboardingStatus | null;
  /** It was sent and nobody knows what became of it: no other may be. */
  isUnsettled: boolean;
};

/** What somebody must know before the one call. */
export type AccountReview = {
  likenesses: AccountLikeness[];
  /** A CNPJ with letters: the interface says 14 digits. */
  hasLetters: boolean;
  /** Of a holder who is under age; null: they are not. */
  minorAge: number | null;
  /** Whose addresses the documents are at, in the letters that are looked up. */
  hosts: string[];
};

/** An onboarding that may have come of a request whose answer was lost. */
export type AccountCandidate = { id: string; firstSeenAt: string; status: OnboardingStatus };

/** A request that was sent, and of which nobody knows yet what became of it. */
export type UnsettledAccount = {
  intentId: string;
  kind: OnboardingKind;
  /** Masked; null when it does not open. */
  document: string | null;
  byName: string;
  /** ISO. */
  at: string;
  /** Its answer may yet come. */
  isSending: boolean;
  candidates: AccountCandidate[];
  /** The provider was asked long enough after it was sent, and knows of nothing. */
  isNotFound: boolean;
};

/** The attempt that a new one takes up again. */
export type EarlierAttempt = {
  id: string;
  kind: OnboardingKind;
  /** Masked. */
  document: string;
  status: OnboardingStatus;
  /** It was asked for here: what was told then is known. */
  isOurs: boolean;
};
