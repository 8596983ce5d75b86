import type { Unknown } from "@/lib/contract/shared";
import { namingHidden } from "./safe-link";

// The contract's own guard would bring zod to the browser.
export function isUnknown(value: string): value is Unknown {
  return value.startsWith("unknown:");
}

/** A word as the provider wrote it, whether the interface names it or not. */
export const providerWord = (word: string): string => (isUnknown(word) ? rawWord(word) : word);

/** The provider's own word behind a marked unknown. */
export function rawWord(value: Unknown): string {
  return value.slice("unknown:".length);
}

/** The same as text for people where no element can stand (titles, labels, sentences, files): see `ProviderText`. */
export const providerText = (word: string): string => namingHidden(providerWord(word));
