type Part = { text: string; isHidden: boolean };

// Controls, formats (zero-width, bidirectional, tags), separators, halves of pairs, and blank letters.
const HIDDEN = /([\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115f\u1160\u2800\u3164\uffa0])/u;
const LAYOUT = /[\n\t]/;

const nameOf = (sign: string) => `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

export function linkParts(text: string): Part[] {
  return text
    .replaceAll("\r\n", "\n")
    .split(HIDDEN)
    .filter((part) => part !== "")
    .map((part) => {
      const isHidden = HIDDEN.test(part) && !LAYOUT.test(part);
      return { text: isHidden ? nameOf(part) : part, isHidden };
    });
}

/** Hidden characters by name in brackets, for places that take only text. */
export const namingHidden = (text: string): string =>
  linkParts(text)
    .map((part) => (part.isHidden ? `[${part.text}]` : part.text))
    .join("");

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether a URL's host (`URL.hostname`) is this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.has(hostname);
}

/** Whether a link's host, with its port, is this machine: it names nobody. */
export const isThisMachine = (host: string): boolean => isLoopback(host.replace(/:\d+$/, ""));

export const hostOrName = (host: string, name: string): string => (isThisMachine(host) ? name : host);

/** `href` is null when it is not https, carries credentials, or holds hidden characters. `host` in punycode. */
export type SafeLink = { href: string | null; host: string };

const isSpeltPlainly = (url: string) => !/[\s\\]/.test(url) && linkParts(url).every(({ isHidden }) => !isHidden);

/** Null when there is none. http is accepted only to this machine, and only with the embedded service. */
export function safeLink(url: string | null | undefined, isEmbedded: boolean): SafeLink | null {
  if (url === null || url === undefined || url === "") return null;
  if (!URL.canParse(url)) return { href: null, host: "" };
  const { protocol, username, password, href, host, hostname } = new URL(url);
  const isAllowed = protocol === "https:" || (isEmbedded && protocol === "http:" && isLoopback(hostname));
  const isPlain = isSpeltPlainly(url) && username === "" && password === "";
  return { href: isAllowed && isPlain ? href : null, host };
}

const DOTS = ".。．｡․";
const JOINTS = new RegExp(`(?!(?<=\\d)[:/]\\d)[${DOTS}@＠:：/／\\\\＼](?=\\S)`, "gu");

/** A space after each character that joins a URL, so that no program makes a link of the rest; not within a date or time. */
export const breakLinks = (text: string): string => text.replaceAll(JOINTS, (sign) => `${sign} `);

const LINK = new RegExp(`[@＠]|[:：][/／\\\\＼]|[^\\s${DOTS}][${DOTS}]\\p{L}{2}`, "u");

export const holdsLink = (text: string): boolean => LINK.test(text);
