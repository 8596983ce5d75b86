export type SafeLink = { href: string; host: string };

/** A link from the provider as something to click: https only, no credentials in it; anything else is null. */
export function safeLink(url: string | null | undefined): SafeLink | null {
  if (url === null || url === undefined || !URL.canParse(url)) return null;
  const { protocol, username, password, href, host } = new URL(url);
  return protocol === "https:" && username === "" && password === "" ? { href, host } : null;
}
