import { normaliseDocument, withoutSeparators } from "@/lib/contract/fold";
import { fold } from "@/lib/contract/signs";

export function typedDocument(text: string): string {
  const signs = normaliseDocument(text);
  if (/^\d{11}$/.test(signs)) return signs.replace(/^(...)(...)(...)(..)$/, "$1.$2.$3-$4");
  return /^[0-9A-Z]{12}\d{2}$/.test(signs) ? signs.replace(/^(..)(...)(...)(....)(..)$/, "$1.$2.$3/$4-$5") : text;
}

/** Whether a document in full is the one behind a mask. */
export const isBehindMask = (document: string, mask: string): boolean =>
  document.length === mask.length && Array.from(mask).every((sign, at) => sign === "*" || sign === document[at]);

export const isLetteredCnpj = (text: string): boolean => {
  const signs = normaliseDocument(text);
  return signs.length === 14 && /[A-Z]/.test(signs);
};

const CPF = /^\d{11}$/;
const CNPJ = /^[0-9A-Z]{12}\d{2}$/;

const SHOWN_AS_WRITTEN = /^[0-9A-Z]{3}\.[0-9A-Z]{3}(\/[0-9A-Z]{4})?$/;

/** The digits that a mask shows of a typed document, whole or masked; null for anything else. Never in a URL. */
export function shownOfDocument(typed: string): string | null {
  const text = fold(typed).trim().toUpperCase();
  const signs = normaliseDocument(text);
  if (CPF.test(signs)) return signs.slice(3, 9);
  if (CNPJ.test(signs)) return signs.slice(2, 12);
  return text.includes("*") || SHOWN_AS_WRITTEN.test(text) ? signs.replaceAll("*", "") : null;
}

export const isOfDocument = (typed: string): boolean =>
  shownOfDocument(typed) !== null || /^\d{6,}$/.test(withoutSeparators(typed));

/** A word of a mask, or a CNPJ with letters. */
export function isPartOfDocument(word: string): boolean {
  const text = fold(word).toUpperCase();
  return text.includes("*") || SHOWN_AS_WRITTEN.test(text) || isLetteredCnpj(word);
}

/** Neither a document nor the visible part of its mask may be in a URL. */
export const NO_DOCUMENT = [
  "(?!(?:.*\\p{Nd}){11})",
  "(?!(?:[\\s.,\\/\\-]*\\p{Nd}){6,}[\\s.,\\/\\-]*$)",
  "(?!(?:.*\\s)?[\\dA-Za-z]{3}\\.[\\dA-Za-z]{3}(?:\\/[\\dA-Za-z]{4})?(?:\\s.*)?$)",
  "[^*]{1,120}",
].join("");
