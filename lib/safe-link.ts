import { isLoopback } from "@/lib/loopback";

/** A link from the provider. `href` is null when it must not be opened: it is not https, or carries credentials. */
export type SafeLink = { href: string | null; host: string };

/**
 * The link as something to click or, when it is not safe, as something to tell of; null when there is none. Plain http
 * passes to this very machine alone, and only where the provider itself is the embedded one (`isEmbedded`).
 */
export function safeLink(url: string | null | undefined, isEmbedded: boolean): SafeLink | null {
  if (url === null || url === undefined || url === "") return null;
  if (!URL.canParse(url)) return { href: null, host: "" };
  const { protocol, username, password, href, host, hostname } = new URL(url);
  const isAllowed = protocol === "https:" || (isEmbedded && protocol === "http:" && isLoopback(hostname));
  return { href: isAllowed && username === "" && password === "" ? href : null, host };
}
