import type { z } from "zod";
import { ErrorBody } from "@/lib/contract/errors";
import { parseJson } from "@/lib/contract/json";
import { BankError, type BankErrorDetails, kindOf } from "./error";

const MAX_BODY_BYTES = 5 * 1024 * 1024;
const MAX_RETRY_AFTER_MS = 60_000;

/** Reads at most 5 MiB (counted after inflating), so that no answer fills the memory. */
async function readText(response: Response, known: BankErrorDetails): Promise<string> {
  if (response.body === null) return "";
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of response.body) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > MAX_BODY_BYTES) throw new BankError("malformed", { ...known, code: "answer-too-large" });
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof BankError) throw cause;
    throw new BankError("unavailable", { mayHaveExecuted: true, ...known, code: "answer-cut-off", cause });
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** `Retry-After` in seconds or as a date, at most a minute; null when absent or junk. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : null;
}

function asJson(text: string, known: BankErrorDetails): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    throw new BankError("malformed", { ...known, code: "answer-not-json", cause });
  }
}

function failure(text: string, known: BankErrorDetails & { status: number }): BankError {
  let body: z.output<typeof ErrorBody> | undefined;
  try {
    body = ErrorBody.safeParse(parseJson(text)).data;
  } catch {
    body = undefined;
  }
  return new BankError(kindOf(known.status, body?.error), {
    ...known,
    ...(body !== undefined && { providerMessage: body.message }),
    ...(body?.error !== undefined && { code: body.error }),
    ...(body?.antifraudId !== undefined && { antifraudId: body.antifraudId }),
    ...(body?.pendingExpiresAt !== undefined && { pendingExpiresAt: body.pendingExpiresAt }),
  });
}

/**
 * The parsed answer, or the `BankError` it stands for: any status but 2xx, a 202 that holds the transaction, a body that
 * is not the documented one. `known` is what is already known of the call.
 */
export async function readAnswer<Answer extends z.ZodType>(
  response: Response,
  schema: Answer,
  known: BankErrorDetails,
): Promise<z.output<Answer>> {
  const { status } = response;
  const retryAfter = retryAfterMs(response.headers.get("retry-after"), Date.now());
  const details = { ...known, status, ...(retryAfter !== null && { retryAfterMs: retryAfter }) };
  const text = await readText(response, details);
  if (!response.ok || status === 202) throw failure(text, details);
  const parsed = schema.safeParse(text === "" ? {} : asJson(text, details));
  if (parsed.success) return parsed.data;
  throw new BankError("malformed", { ...details, code: "answer-not-documented", cause: parsed.error });
}
