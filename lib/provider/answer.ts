import { z } from "zod";
import { isTooDeep } from "@/lib/contract/depth";
import { ErrorBody } from "@/lib/contract/errors";
import { parseJson } from "@/lib/contract/json";
import { type ErrorKind, isOfCompany } from "@/lib/errors/result";
import { sha256 } from "@/lib/text/decode";
import type { Incoming } from "./wire-http";
import { type AppErrorDetails, AppError } from "@/lib/errors/app-error";

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;
const JITTER = 0.25;

/** 1 s doubling, plus up to a quarter of jitter, at most 30 s. */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** attempt * (1 + JITTER * random()), LONGEST_DELAY_MS);
}

const KINDS: Readonly<Record<number, ErrorKind>> = {
  202: "held",
  400: "invalid",
  // The tenant's credentials were refused: nobody's session ended.
  401: "forbidden",
  402: "restricted",
  403: "forbidden",
  404: "not-found",
  405: "malformed",
  409: "conflict",
  412: "conflict",
  422: "invalid",
  429: "rate-limited",
};

export function kindOf(status: number, code: string | undefined): ErrorKind {
  if (code === "TRANSACTION_BLOCKED") return "blocked";
  return KINDS[status] ?? (status >= 500 ? "unavailable" : "malformed");
}

const PROVIDER_TROUBLE: readonly ErrorKind[] = ["unavailable", "rate-limited", "restricted", "forbidden"];

export function isProviderTrouble(kind: ErrorKind): boolean {
  return PROVIDER_TROUBLE.includes(kind);
}

/** Concerns not only what was asked for: it is asked again later. */
export const isOfEverybody = ({ kind, details }: AppError): boolean =>
  kind === "rate-limited" || kind === "unauthenticated" || details.code === "circuit-open" || isOfCompany(details.code);

const MAX_RETRY_AFTER_MS = 60_000;
const MAX_DEPTH = 64;
/** The gateway's spelling of codes; ours differ, so no answer passes for our own failure. */
const IDENTIFIER = /^[A-Z][A-Z\d_]{0,63}$/;

/** Seconds or a date, at most a minute; null when absent or junk. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : null;
}

/** Every JSON escape; a surrogate pair counts as one, so that a lone half is found. */
const ESCAPE = /\\(?:ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|u[\da-f]{4}|[^u])/gi;
const UNSTORABLE = /^\\u(?:0000|d[89a-f][\da-f]{2})$/i;

/** Without NUL and lone surrogates, which PostgreSQL refuses: one would stop the reading of a whole list. */
const storable = (text: string) => text.replaceAll(ESCAPE, (escape) => (UNSTORABLE.test(escape) ? "\uFFFD" : escape));

export type Expected<Answer extends z.ZodType> = { answer: Answer; mayRepeatKeys?: boolean };

function asJson(text: string, known: AppErrorDetails, mayRepeatKeys = false): unknown {
  if (isTooDeep(text, MAX_DEPTH)) throw new AppError("malformed", { ...known, code: "answer-too-deep" });
  try {
    return parseJson(storable(text), { mayRepeatKeys });
  } catch (cause) {
    throw new AppError("malformed", { ...known, code: "answer-not-json", cause });
  }
}

/** The documented body, or one with its message in a list, or none. */
const ToldError = ErrorBody.extend({
  message: z.union([z.string(), z.array(z.string()).transform((said) => said.join(" · "))]).catch(""),
});

function errorBody(text: string): z.output<typeof ToldError> | undefined {
  if (isTooDeep(text, MAX_DEPTH)) return undefined;
  try {
    return ToldError.safeParse(parseJson(storable(text))).data;
  } catch {
    return undefined;
  }
}

function failure(text: string, known: AppErrorDetails & { status: number }): AppError {
  const body = errorBody(text);
  const code = body?.error !== undefined && IDENTIFIER.test(body.error) ? body.error : undefined;
  return new AppError(kindOf(known.status, code), {
    ...known,
    ...(body !== undefined && body.message.trim() !== "" && { providerMessage: body.message }),
    ...(code !== undefined && { code }),
    ...(body?.antifraudId !== undefined && { antifraudId: body.antifraudId }),
    ...(body?.pendingExpiresAt !== undefined && { pendingExpiresAt: body.pendingExpiresAt }),
  });
}

/** Documented refusals executed nothing (interface: Errors › HTTP statuses); a proxy's other 4xx may have passed. */
const mayHaveExecuted = (status: number) => status < 400 || !(status in KINDS);

/**
 * Throws `AppError` for any status but 2xx, a 202 that holds the transaction, a redirect and an undocumented body.
 * `hear` is told the body before it is parsed by the contract.
 */
export function readAnswer<Answer extends z.ZodType>(
  { status, header, text }: Incoming,
  expected: Expected<Answer>,
  known: AppErrorDetails,
  hear: (json: unknown) => void = () => undefined,
): { answer: z.output<Answer>; json: unknown; text: string } {
  const retryAfter = retryAfterMs(header("retry-after"), Date.now());
  const details = {
    mayHaveExecuted: mayHaveExecuted(status),
    ...known,
    status,
    answerHash: sha256(text),
    ...(retryAfter !== null && { retryAfterMs: retryAfter }),
  };
  if (status >= 300 && status < 400) throw new AppError("malformed", { ...details, code: "answer-redirects" });
  if (status === 202) throw failure(text, { ...details, mayHaveExecuted: false });
  if (status < 200 || status > 299) throw failure(text, details);
  const json = text === "" ? {} : asJson(text, details, expected.mayRepeatKeys);
  hear(json);
  const parsed = expected.answer.safeParse(json);
  if (parsed.success) return { answer: parsed.data, json, text };
  throw new AppError("malformed", { ...details, code: "answer-not-documented", cause: parsed.error });
}
