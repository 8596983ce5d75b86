import type { KycProcessName, KycStatus } from "@/lib/contract/kyc";
import type { ReadFailure } from "@/lib/text/page";

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

/** Why nothing could be asked of the provider just now; each has a sentence of its own under `outages`. */
const OUTAGES = [
  "circuit-open",
  "budget-spent",
  "token-refused",
  "token-unavailable",
  "token-not-readable",
  "token-not-in-time",
] as const;
type Outage = (typeof OUTAGES)[number];

/** Why the gateway refuses a tenant, whatever it asks (interface: Errors › Gateway errors); each has a sentence under `refusals`. */
export const REFUSALS = [
  "ACCOUNT_SUSPENDED",
  "ACCOUNT_RESTRICTED",
  "PRODUCT_NOT_ENABLED",
  "OPERATION_NOT_ALLOWED",
] as const;
type Refusal = (typeof REFUSALS)[number];

/** Of these the company as a whole is refused, whatever is read; the others are about one product or operation. */
export const isOfCompany = (code: string | undefined): code is "ACCOUNT_SUSPENDED" | "ACCOUNT_RESTRICTED" =>
  code === "ACCOUNT_SUSPENDED" || code === "ACCOUNT_RESTRICTED";

export const isRefusal = (code: string | null | undefined): code is Refusal => REFUSALS.some((known) => known === code);

export const isOutage = (code: string | null | undefined): code is Outage => OUTAGES.some((known) => known === code);

type ShownFailure = {
  kind: ErrorKind | "unexpected";
  refusal: Refusal | null;
  since: string | null;
  reference: string | null;
};

/** With which a route of ours says why it did not answer, where that has a name: a digest, as for error screens. */
export const FAILURE_HEADER = "x-retaguarda-failure";

const isKind = (word: string): word is ErrorKind => ERROR_KINDS.some((kind) => kind === word);

/** What an error screen may know: the digest is all that crosses from the server. Anything but `bank:` is a bug of ours. */
export function readDigest(error: unknown): ShownFailure {
  const digest = error instanceof Error && "digest" in error ? String(error.digest) : "";
  const [, kind = "", code, ms, reference = ""] =
    /^bank:([a-z-]+)(?:\/([A-Z_]+)(?:@(\d{1,15}))?)?:(.*)$/.exec(digest) ?? [];
  const refusal = isRefusal(code) ? code : null;
  const since = ms === undefined ? null : new Date(Number(ms)).toISOString();
  if (isKind(kind))
    return { kind, refusal, since, reference: reference === "-" || reference === "" ? null : reference };
  return { kind: "unexpected", refusal: null, since: null, reference: digest || null };
}

/** The same as a list has it of the watch that feeds it. */
export function failureIn(error: unknown): ReadFailure {
  const { kind, refusal, since, reference } = readDigest(error);
  return { kind, code: refusal ?? reference, since };
}
