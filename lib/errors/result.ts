import type { KycProcessName, KycStatus } from "@/lib/contract/kyc";

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

/** `code` is the gateway's or ours, `since` null when unknown. */
export type ReadFailure = { kind: ErrorKind | "unexpected"; code: string | null; since: string | null };

/** After a recent proof the same write may be sent again. */
export const STEP_UP = "step-up";

export const REVEAL_SECOND_PERSON = "reveal-second-person";

/** The page is older than the server: nothing was sent, and a reload helps. */
export const NEW_VERSION = "new-version";

/** Codes to which a screen reacts with more than a sentence. */
const SHOWN_CODES = [
  STEP_UP,
  REVEAL_SECOND_PERSON,
  NEW_VERSION,
  "account-unconfirmed",
  "wallet-unconfirmed",
  "crypto-transfer-unconfirmed",
  "crypto-transfer-unsettled",
  "intent-already-sent",
] as const;
type ShownCode = (typeof SHOWN_CODES)[number];
export const isShownCode = (code: string | undefined): code is ShownCode => SHOWN_CODES.some((shown) => shown === code);

export type Failure = {
  kind: ErrorKind;
  code?: ShownCode;
  /** Includes the provider's words, if any: text, never HTML. */
  message: string;
  /** Its effect is unknown, as no answer came. */
  isUnanswered?: true;
  fields?: Record<string, string>;
  current?: Standing;
  holder?: Holder | null;
};

export type Told = {
  code: string | null;
  status: number | null;
  said: string | null;
  /** False when a check before sending refused it. */
  wasSent: boolean;
};

/** Zod's, or shaped as one. */
export type Issue = {
  code?: string | undefined;
  path: PropertyKey[];
  origin?: unknown;
  maximum?: unknown;
  params?: unknown;
};

/** Shaped as zod's issues. */
export type FieldIssue = { path: (string | number)[]; params: { code: string; word?: string } };

export type Holder = { id: string; name: string; since: string };

export type Standing = { status: KycStatus; process: KycProcessName };

export type ActionResult<T> = { ok: true; data: T } | { ok: false; error: Failure };

/** Each has a sentence under `outages`; read failures have one under `readOutages`. */
const OUTAGES = [
  "circuit-open",
  "budget-spent",
  "unknown-spent",
  "token-refused",
  "token-unavailable",
  "token-not-readable",
  "token-not-in-time",
  "store-silent",
  "store-lost",
] as const;
type Outage = (typeof OUTAGES)[number];

/** interface: Errors › Gateway errors. Each has a sentence under `refusals`. */
export const REFUSALS = [
  "ACCOUNT_SUSPENDED",
  "ACCOUNT_RESTRICTED",
  "PRODUCT_NOT_ENABLED",
  "OPERATION_NOT_ALLOWED",
] as const;
type Refusal = (typeof REFUSALS)[number];

/** The provider answers nothing; every list says so in the same sentence, with since when. */
export const SILENT = "PROVIDER_SILENT";

const OWN_STORE = ["store-silent", "store-lost"];

export const isBySilence = ({ kind, code = null }: { kind: ReadFailure["kind"]; code?: string | null }): boolean =>
  kind === "unavailable" && (code === null || !OWN_STORE.includes(code));

/** The other refusals concern one product or operation. */
export const isOfCompany = (code: string | undefined): code is "ACCOUNT_SUSPENDED" | "ACCOUNT_RESTRICTED" =>
  code === "ACCOUNT_SUSPENDED" || code === "ACCOUNT_RESTRICTED";

export const isRefusal = (code: string | null | undefined): code is Refusal => REFUSALS.some((known) => known === code);

/** How a call ended without a readable answer. Each has a sentence under `endings`. */
export const WIRE_CODES = [
  "not-sent",
  "no-connection",
  "no-answer",
  "answer-cut-off",
  "answer-too-slow",
  "answer-too-large",
  "answer-not-readable",
] as const;

/** Our own codes for outcomes that no answer gave. */
const ENDINGS = [
  ...WIRE_CODES,
  "answer-not-json",
  "answer-too-deep",
  "answer-not-documented",
  "answer-redirects",
  "never-sent",
  "sender-gone",
  "ended-by-person",
] as const;
type Ending = (typeof ENDINGS)[number];

export const isEnding = (code: string): code is Ending => ENDINGS.some((known) => known === code);

/** Nobody answered; the other codes mean a refusal or no free turn. */
const UNANSWERED = ["no-connection", "no-answer", "answer-cut-off", "answer-too-slow", "circuit-open", SILENT];

export const isUnansweredRead = ({ kind, code }: ReadFailure): boolean =>
  kind === "unavailable" && code !== null && UNANSWERED.includes(code);

export const isOutage = (code: string | null | undefined): code is Outage => OUTAGES.some((known) => known === code);

type ShownFailure = {
  kind: ErrorKind | "unexpected";
  refusal: Refusal | typeof SILENT | null;
  since: string | null;
  reference: string | null;
};

export const FAILURE_HEADER = "x-retaguarda-failure";

const isKind = (word: string): word is ErrorKind => ERROR_KINDS.some((kind) => kind === word);

const digestIn = (error: unknown) => (error instanceof Error && "digest" in error ? String(error.digest) : "");

/** The digest is all that reaches the browser. Anything but `bank:` is a bug of ours. */
export function readDigest(error: unknown): ShownFailure {
  const digest = digestIn(error);
  const [, kind = "", code, ms, reference = ""] =
    /^bank:([a-z-]+)(?:\/([A-Z_]+)(?:@(\d{1,15}))?)?:(.*)$/.exec(digest) ?? [];
  const refusal = isRefusal(code) || code === SILENT ? code : null;
  const since = ms === undefined ? null : new Date(Number(ms)).toISOString();
  if (isKind(kind))
    return { kind, refusal, since, reference: reference === "-" || reference === "" ? null : reference };
  return { kind: "unexpected", refusal: null, since: null, reference: digest || null };
}

/** Null for a bug of ours. */
export const failureDigest = (error: unknown): string | null =>
  readDigest(error).kind === "unexpected" ? null : digestIn(error);

export function failureIn(error: unknown): ReadFailure {
  const { kind, refusal, since, reference } = readDigest(error);
  return { kind, code: refusal ?? reference, since };
}
