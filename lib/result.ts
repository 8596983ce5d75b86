import type { KycProcessName, KycStatus } from "@/lib/contract/kyc";

/** What can go wrong between a person and the provider; each kind has one sentence for people in each language. */
export const ERROR_KINDS = [
  "unauthenticated",
  "forbidden",
  "not-found",
  "conflict",
  "invalid",
  "rate-limited",
  "unavailable",
  "restricted",
  "held",
  "blocked",
  "malformed",
] as const;
export type ErrorKind = (typeof ERROR_KINDS)[number];

/** The write asks for a recent proof of who acts; after one it may be sent again as it is. */
export const STEP_UP = "step-up";

/** An expected failure of a write, ready to be shown: `message` and `fields` are in the reader's language. */
export type Failure = {
  kind: ErrorKind;
  /** For what the page does about by itself. */
  code?: typeof STEP_UP;
  message: string;
  /** By the dotted path of the field. */
  fields?: Record<string, string>;
  /** The provider's own words: shown as text, never as HTML. */
  providerMessage?: string;
  /** What the record is by now, when it changed under the writer's eyes. */
  current?: Standing;
  /** Whose it is, when it is not the writer's; null: nobody's. */
  holder?: Holder | null;
};

/** What is wrong with a field, by its path; shaped as zod's own issues are. */
export type FieldIssue = { path: (string | number)[]; params: { code: string; word?: string } };

/** Who has a record; `since` is ISO. */
export type Holder = { id: string; name: string; since: string };

export type Standing = { status: KycStatus; process: KycProcessName };

export type ActionResult<T> = { ok: true; data: T } | { ok: false; error: Failure };
