import { partsOf } from "@/lib/hidden-signs";
import { isLoopback } from "@/lib/loopback";

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
