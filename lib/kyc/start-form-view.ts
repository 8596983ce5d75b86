import type { KycStatus } from "@/lib/contract/kyc";

// Apart from the schemas, because the browser reads it.

/** Who a case can be started about: a natural or a legal person. */
export const START_TYPES = ["PF", "PJ"] as const;
export type StartType = (typeof START_TYPES)[number];

/** From the least to the most that is checked. */
export const START_MODELS = ["BASIC", "MEDIUM", "COMPLETE"] as const;
type StartModel = (typeof START_MODELS)[number];

export const MEMBER_TYPES = ["SOCIO_ADMINISTRADOR", "SOCIO"] as const;
export const MEMBERS_MAX = 3;

/** For so many days a document that was started asks before it is started again. */
export const REPEAT_DAYS = 30;

/** A start of the same document, or a case that may be the same one's: open, or begun elsewhere and decided lately. */
export type Likeness = {
  /** What a person who goes on all the same has seen. */
  ref: string;
  /** Null: not known yet. */
  kycUUID: string | null;
  /** ISO: when it was started; of a case that was started elsewhere, when it was first seen, or seen decided. */
  at: string;
  /** Null: it was started elsewhere. */
  byName: string | null;
  status: KycStatus | null;
  /** The document itself is the same; else only what of it the provider shows. */
  isSame: boolean;
  /** It was sent and nobody knows what became of it: no other may be. */
  isUnsettled: boolean;
};

/** What somebody must know before the one call. */
export type StartReview = {
  type: StartType;
  model: StartModel;
  documentscopy: boolean;
  likenesses: Likeness[];
  /** A CNPJ with letters: the interface says 14 digits. */
  hasLetters: boolean;
  /** How old those are who are under age. */
  minors: { name: string; age: number }[];
};

/** A case that may have come of a start whose answer was lost. */
export type StartCandidate = { kycUUID: string; firstSeenAt: string; status: KycStatus };

/** A start that was sent, and of which nobody knows yet what became of it. */
export type UnsettledStart = {
  intentId: string;
  type: StartType;
  model: StartModel;
  /** Masked; null when it does not open. */
  document: string | null;
  byName: string;
  /** ISO. */
  at: string;
  /** Its answer may yet come. */
  isSending: boolean;
  candidates: StartCandidate[];
  /** The list was read long enough after it was sent, and shows no candidate. */
  isNotFound: boolean;
};
