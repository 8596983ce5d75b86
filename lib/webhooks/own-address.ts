import { isOwnOrigin } from "@/lib/action";
import { env } from "@/lib/settings/env";

/** Where the provider delivers a tenant's events to this console: behind proxies, by the name that they are reached by. */
export const ownAddressOf = (tenant: string): URL =>
  new URL(`/api/hooks/${encodeURIComponent(tenant)}`, env().publicUrl);

/** The front server takes it with a final slash, too. */
export function isOwnAddress(url: string, tenant: string): boolean {
  if (!URL.canParse(url)) return false;
  const { origin, pathname } = new URL(url);
  return isOwnOrigin(origin, env().publicUrl) && pathname.replace(/\/+$/, "") === ownAddressOf(tenant).pathname;
}
