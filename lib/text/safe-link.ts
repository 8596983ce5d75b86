import { isLoopback } from "./loopback";

/** A stretch of text as it is, or one sign that nobody would see, or that would turn others around, named instead. */
type Part = { text: string; isHidden: boolean };

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

/**
 * A link from the provider. `href` is null when it must not be opened: it is not https, carries credentials, or is spelt with
 * what browsers leave out or turn around. `host` is in the letters that are looked up (`xn--…`), never in look-alikes.
 */
export type SafeLink = { href: string | null; host: string };

const isSpeltPlainly = (url: string) => !/[\s\\]/.test(url) && partsOf(url).every(({ isHidden }) => !isHidden);

/**
 * The link as something to click or, when it is not safe, as something to tell of; null when there is none. Plain http
 * passes to this very machine alone, and only where the provider itself is the embedded one (`isEmbedded`).
 */
export function safeLink(url: string | null | undefined, isEmbedded: boolean): SafeLink | null {
  if (url === null || url === undefined || url === "") return null;
  if (!URL.canParse(url)) return { href: null, host: "" };
  const { protocol, username, password, href, host, hostname } = new URL(url);
  const isAllowed = protocol === "https:" || (isEmbedded && protocol === "http:" && isLoopback(hostname));
  const isPlain = isSpeltPlainly(url) && username === "" && password === "";
  return { href: isAllowed && isPlain ? href : null, host };
}
