import type { z } from "zod";
import { ErrorBody } from "@/lib/contract/errors";
import { parseJson } from "@/lib/contract/json";
import { sha256 } from "@/lib/hash";
import { isTooDeep } from "@/lib/contract/depth";
import { BankError, type BankErrorDetails, kindOf } from "./error";
import type { Incoming } from "./wire";

const MAX_RETRY_AFTER_MS = 60_000;
const MAX_DEPTH = 64;
/** As the gateway's are spelt. Ours are not, so that no answer passes for a failure of our own; nor does any other text. */
const IDENTIFIER = /^[A-Z][A-Z\d_]{0,63}$/;

/** `Retry-After` in seconds or as a date, at most a minute; null when absent or junk. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : null;
}

function asJson(text: string, known: BankErrorDetails): unknown {
  if (isTooDeep(text, MAX_DEPTH)) throw new BankError("malformed", { ...known, code: "answer-too-deep" });
  try {
    return parseJson(text);
  } catch (cause) {
    throw new BankError("malformed", { ...known, code: "answer-not-json", cause });
  }
}

function errorBody(text: string): z.output<typeof ErrorBody> | undefined {
  if (isTooDeep(text, MAX_DEPTH)) return undefined;
  try {
    return ErrorBody.safeParse(parseJson(text)).data;
  } catch {
    return undefined;
  }
}

function failure(text: string, known: BankErrorDetails & { status: number }): BankError {
  const body = errorBody(text);
  const code = body?.error !== undefined && IDENTIFIER.test(body.error) ? body.error : undefined;
  return new BankError(kindOf(known.status, code), {
    ...known,
    ...(body !== undefined && { providerMessage: body.message }),
    ...(code !== undefined && { code }),
    ...(body?.antifraudId !== undefined && { antifraudId: body.antifraudId }),
    ...(body?.pendingExpiresAt !== undefined && { pendingExpiresAt: body.pendingExpiresAt }),
  });
}

/** Refusals executed nothing (interface: Errors › HTTP statuses); a 5xx, or an answer nobody understands, may stand for either. */
const mayHaveExecuted = (status: number) => status < 400 || status >= 500;

/**
 * The parsed answer, or the `BankError` it stands for: any status but 2xx, a 202 that holds the transaction, a redirect, a
 * body that is not the documented one. `known` is what is already known of the call.
 */
export function readAnswer<Answer extends z.ZodType>(
  { status, header, text }: Incoming,
  schema: Answer,
  known: BankErrorDetails,
): { answer: z.output<Answer>; json: unknown; text: string } {
  const retryAfter = retryAfterMs(header("retry-after"), Date.now());
  const details = {
    mayHaveExecuted: mayHaveExecuted(status),
    ...known,
    status,
    answerHash: sha256(text),
    ...(retryAfter !== null && { retryAfterMs: retryAfter }),
  };
  if (status >= 300 && status < 400) throw new BankError("malformed", { ...details, code: "answer-redirects" });
  if (status === 202) throw failure(text, { ...details, mayHaveExecuted: false });
  if (status < 200 || status > 299) throw failure(text, details);
  const json = text === "" ? {} : asJson(text, details);
  const parsed = schema.safeParse(json);
  if (parsed.success) return { answer: parsed.data, json, text };
  throw new BankError("malformed", { ...details, code: "answer-not-documented", cause: parsed.error });
}
