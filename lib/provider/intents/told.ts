import { maskWithin } from "@/lib/contract/document";
import { shownSealed } from "@/lib/db/seal";
import type { Told } from "@/lib/errors/result";
import { isUnknown, rawWord } from "@/lib/text/provider-word";
import { type Intent, intentTarget, isUnsent } from "./intent-record";

type SaidIntent = Pick<Intent, "tenant" | "id" | "saidSealed">;

export function saidOf(intent: SaidIntent): string | null {
  const { saidSealed } = intent;
  return saidSealed === null ? null : maskWithin(shownSealed(saidSealed, intentTarget("said_sealed", intent)));
}

/** Who refused it, and why; null when not refused, or when a person settled it. */
export function toldOf(intent: Intent): Told | null {
  const { state, endedBy, code, status } = intent;
  if (state !== "REFUSED" || endedBy !== null) return null;
  const word = code !== null && isUnknown(code) ? rawWord(code) : null;
  return { code, status, said: saidOf(intent) ?? word, wasSent: !isUnsent(intent) };
}
