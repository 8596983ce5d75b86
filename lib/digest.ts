import { isRefusal, type Refusal } from "@/lib/outage";
import { ERROR_KINDS, type ErrorKind } from "@/lib/result";

export type ShownFailure = { kind: ErrorKind | "unexpected"; refusal: Refusal | null; reference: string | null };

const isKind = (word: string): word is ErrorKind => ERROR_KINDS.some((kind) => kind === word);

/** What an error screen may know: the digest is all that crosses from the server. Anything but `bank:` is a bug of ours. */
export function readDigest(error: unknown): ShownFailure {
  const digest = error instanceof Error && "digest" in error ? String(error.digest) : "";
  const [, kind = "", code, reference = ""] = /^bank:([a-z-]+)(?:\/([A-Z_]+))?:(.*)$/.exec(digest) ?? [];
  const refusal = isRefusal(code) ? code : null;
  if (isKind(kind)) return { kind, refusal, reference: reference === "-" || reference === "" ? null : reference };
  return { kind: "unexpected", refusal: null, reference: digest || null };
}
