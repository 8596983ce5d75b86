import "server-only";
import { env } from "@/lib/settings/env";

const LONGEST = 2_000;
/** What is no screen of the console: leading there after a sign-in would be a surprise at best. */
const NO_SCREEN = /^\/(api|enrol|invite|password|_next)(\/|$)/;

/** The path and query of a screen of this console, whatever was handed in; null for any other address. */
export function returnPath(asked: string | string[] | null | undefined): string | null {
  const { publicUrl } = env();
  if (typeof asked !== "string" || asked.length > LONGEST || !URL.canParse(asked, publicUrl)) return null;
  const { origin, pathname, searchParams, search } = new URL(asked, publicUrl);
  // "/.//host" resolves to the path "//host", which a browser takes for another site.
  if (origin !== publicUrl.origin || pathname.startsWith("//") || NO_SCREEN.test(pathname)) return null;
  if (pathname === "/sign-in") return returnPath(searchParams.get("next"));
  // Next's own mark on what it fetches without a page load.
  if (!searchParams.has("_rsc")) return pathname + search;
  searchParams.delete("_rsc");
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`;
}

/** The address of a page on the way in, which leads on to that screen; `error` is why somebody is back there. */
export function entrancePath(page: "/sign-in" | "/enrol", next: string | null, error?: string): string {
  const query = new URLSearchParams({
    ...(error !== undefined && { error }),
    ...(next !== null && next !== "/" && { next }),
  });
  return query.size === 0 ? page : `${page}?${query}`;
}
