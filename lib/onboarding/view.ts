import { hrefWith } from "@/lib/text/page";
import type { OnboardingStatus } from "@/lib/contract/onboarding";
import type { Stage, WhoActs, OnboardingKind } from "@/lib/db/enums/onboarding";

/** Separate from the schemas, because the browser reads it. */
export const ONBOARDING_VIEWS = ["open", "ERROR", "CONFIRMED", "all"] as const;
export type OnboardingView = (typeof ONBOARDING_VIEWS)[number];

export const AGES = ["1", "24", "72", "168"] as const;
type LeastAge = (typeof AGES)[number];

export const LEAST_RETURNS = ["1", "2", "3"] as const;
type LeastReturns = (typeof LEAST_RETURNS)[number];

export const ONBOARDING_ORDERS = ["begun", "changed", "checked", "returns"] as const;
export type OnboardingOrder = (typeof ONBOARDING_ORDERS)[number];

export type QueueFilter = {
  status: OnboardingView;
  acts?: WhoActs | undefined;
  stage?: Stage | undefined;
  kind?: OnboardingKind | undefined;
  age?: LeastAge | undefined;
  returns?: LeastReturns | undefined;
  person?: string | undefined;
  sort: OnboardingOrder;
  dir: "asc" | "desc";
  page: number;
};

/** Without defaults, but always with the view, which names the list. */
export function addressedFilter({ status, sort, dir, page, ...narrowing }: QueueFilter) {
  return {
    status,
    ...narrowing,
    sort: sort === "begun" ? null : sort,
    dir: dir === "desc" ? null : dir,
    page: page === 1 ? null : page,
  };
}

/** The first page. The plain URL opens the person's default view. */
export const onboardingQueueHref = (filter: QueueFilter, changes: Partial<QueueFilter> = {}): string =>
  hrefWith("/onboarding", addressedFilter({ ...filter, page: 1, ...changes }));

export const onboardingQueueSearch = (filter: QueueFilter): string =>
  hrefWith("", addressedFilter({ ...filter, page: 1 })).slice(1);

export const PLAIN_HREF = "/onboarding?status=open";

// Separate from the schemas, because the browser reads it.

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

const POSITIONS: readonly (readonly [RegExp, FormStep])[] = [
  [/^(transactionPassword|passwordAgain)$/, "review"],
  [/^bankDocuments\b/, "documents"],
  [/^legalPerson\.owner\b/, "owners"],
  [/^email$|\.(email|businessEmail|phoneNumber|contactNumber)$|\.(address|businessAddress)\b/, "contact"],
];

export const formStepOf = (field: string): FormStep => POSITIONS.find(([fits]) => fits.test(field))?.[1] ?? "who";

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
  /** The provider was asked long enough after sending, without a candidate. */
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
