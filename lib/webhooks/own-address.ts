import { isOwnOrigin } from "@/lib/action";
import { env } from "@/lib/settings/env";

export const ownAddressOf = (tenant: string): URL =>
  new URL(`/api/hooks/${encodeURIComponent(tenant)}`, env().publicUrl);

export function isOwnAddress(url: string, tenant: string): boolean {
  if (!URL.canParse(url)) return false;
  const { origin, pathname } = new URL(url);
  return isOwnOrigin(origin, env().publicUrl) && pathname.replace(/\/+$/, "") === ownAddressOf(tenant).pathname;
}
