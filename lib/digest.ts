import { ERROR_KINDS, type ErrorKind } from "@/lib/result";

export type ShownFailure = { kind: ErrorKind | "unexpected"; reference: string | null };

const isKind = (word: string): word is ErrorKind => ERROR_KINDS.some((kind) => kind === word);

/** What an error screen may know: the digest is all that crosses from the server. Anything but `bank:` is a bug of ours. */
export function readDigest(error: unknown): ShownFailure {
  const digest = error instanceof Error && "digest" in error ? String(error.digest) : "";
  const [, kind = "", reference = ""] = /^bank:([a-z-]+):(.*)$/.exec(digest) ?? [];
  if (isKind(kind)) return { kind, reference: reference === "-" || reference === "" ? null : reference };
  return { kind: "unexpected", reference: digest || null };
}
