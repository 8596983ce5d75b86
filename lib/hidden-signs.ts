/** A stretch of text as it is, or one sign that nobody would see, or that would turn others around, named instead. */
export type Part = { text: string; isHidden: boolean };

// Controls, formats (zero-width, bidirectional, tags), separators, halves of pairs, and letters that look like nothing.
const HIDDEN = /([\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115f\u1160\u2800\u3164\uffa0])/u;
const LAYOUT = /[\n\t]/;

const nameOf = (sign: string) => `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** Somebody else's text in parts, so that what it hides can be shown. */
export function partsOf(text: string): Part[] {
  return text
    .replaceAll("\r\n", "\n")
    .split(HIDDEN)
    .filter((part) => part !== "")
    .map((part) => {
      const isHidden = HIDDEN.test(part) && !LAYOUT.test(part);
      return { text: isHidden ? nameOf(part) : part, isHidden };
    });
}

/** The same as one text, for where no element can stand: the hidden signs by name in brackets. */
export const namingHidden = (text: string): string =>
  partsOf(text)
    .map((part) => (part.isHidden ? `[${part.text}]` : part.text))
    .join("");
