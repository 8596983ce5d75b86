import type { Unknown } from "@/lib/contract/shared";
import { namingHidden } from "./safe-link";

/** Stands for a sealed value that does not open, in every language. */
export const UNOPENED = "⊘";

export const isUnopened = (shown: string): boolean => shown === UNOPENED;

// The contract's own guard would bring zod to the browser.
export function isUnknown(value: string): value is Unknown {
  return value.startsWith("unknown:");
}

export const providerWord = (word: string): string => (isUnknown(word) ? rawWord(word) : word);

export function rawWord(value: Unknown): string {
  return value.slice("unknown:".length);
}

/** For places that take only text; elsewhere use `ProviderText`. */
export const providerText = (word: string): string => namingHidden(providerWord(word));
