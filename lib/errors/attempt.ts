import { maskWithin } from "@/lib/contract/document";
import { AppError } from "./app-error";
import { type ErrorKind, failureDigest, failureIn, type ReadFailure } from "./result";

const REFUSED: readonly ErrorKind[] = ["invalid", "conflict", "forbidden", "not-found", "restricted", "blocked"];

/** The provider's reason to refuse a read, documents masked. */
export function refusedWords(error: unknown): string | null {
  if (!(error instanceof AppError) || !REFUSED.includes(error.kind)) return null;
  const { providerMessage = "" } = error.details;
  return providerMessage.trim() === "" ? null : maskWithin(providerMessage);
}

export type UnreadBy = { digest: string; said: string | null };

type Attempted<T> = { ok: true; data: T } | ({ ok: false; failure: ReadFailure } & UnreadBy);

/** A failure the screen can explain is a value; our own bugs and redirects still throw. */
export async function readOrDigest<T>(read: Promise<T>): Promise<Attempted<T>> {
  try {
    return { ok: true, data: await read };
  } catch (error) {
    const digest = failureDigest(error);
    if (digest === null) throw error;
    return { ok: false, digest, said: refusedWords(error), failure: failureIn(error) };
  }
}
