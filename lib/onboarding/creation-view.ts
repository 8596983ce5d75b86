import type { OnboardingStatus } from "@/lib/contract/onboarding";
import type { OnboardingKind } from "./view";

// Apart from the schemas, because the browser reads it.

/** Forms with more partners go to the provider directly. */
export const OWNERS_MAX = 8;

export const STATES: readonly string[] =
  "AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO".split(" ");

export const PASSWORD_MIN_LENGTH = 6;
export const PASSWORD_MAX_LENGTH = 64;

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

export const stepOf = (field: string): FormStep => PLACES.find(([fits]) => fits.test(field))?.[1] ?? "who";

export type AccountDuplicate = {
  ref: string;
  id: string | null;
  at: string;
  byName: string | null;
  status: OnboardingStatus | null;
  /** Sent, outcome unknown: no other may be sent. */
  isUnconfirmed: boolean;
};

export type AccountReview = {
  duplicates: AccountDuplicate[];
  /** CNPJ with letters: the interface says 14 digits. */
  hasLetters: boolean;
  minorAge: number | null;
  hosts: string[];
};

export type AccountCandidate = { id: string; firstSeenAt: string; status: OnboardingStatus };

export type UnconfirmedAccount = {
  intentId: string;
  kind: OnboardingKind;
  /** Masked; null when it does not open. */
  document: string | null;
  byName: string;
  at: string;
  isSending: boolean;
  candidates: AccountCandidate[];
  /** The provider was asked long enough after it was sent, without a candidate. */
  isNotFound: boolean;
};

export type EarlierAttempt = {
  id: string;
  kind: OnboardingKind;
  /** Masked. */
  document: string;
  status: OnboardingStatus;
  isOurs: boolean;
};
