import { isRefusal, type Refusal } from "@/lib/outage";
import type { ReadFailure } from "@/lib/page";
import { ERROR_KINDS, type ErrorKind } from "@/lib/result";

export type ShownFailure = {
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
