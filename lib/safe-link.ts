/** A link from the provider. `href` is null when it must not be opened: it is not https, or carries credentials. */
export type SafeLink = { href: string | null; host: string };

/** The link as something to click or, when it is not safe, as something to tell of; null when there is none. */
export function safeLink(url: string | null | undefined): SafeLink | null {
  if (url === null || url === undefined || url === "") return null;
  if (!URL.canParse(url)) return { href: null, host: "" };
  const { protocol, username, password, href, host } = new URL(url);
  const isSafe = protocol === "https:" && username === "" && password === "";
  return { href: isSafe ? href : null, host };
}
