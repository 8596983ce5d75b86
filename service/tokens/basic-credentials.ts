import { createHash, timingSafeEqual } from "node:crypto";
import { unauthenticated } from "@/service/error";
import type { TenantDirectory } from "@/service/tenants/directory";
import type { Tenant } from "@/service/tenants/tenant";

const digest = (text: string) => createHash("sha256").update(text).digest();

function decode(encoded: string): { clientId: string; clientSecret: string } {
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return { clientId: text.slice(0, Math.max(colon, 0)), clientSecret: text.slice(colon + 1) };
}

/**
 * The tenant whose Client_ID and Client_Secret the header carries. Throws 401 (interface: Errors › Authentication
 * errors); the time it takes does not tell an unknown client from a wrong secret.
 */
export function authenticateBasic(tenants: TenantDirectory, authorization: string | undefined): Tenant {
  if (!authorization) throw unauthenticated("You must send an Authorization header");
  const [, encoded] = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization) ?? [];
  if (!encoded) throw unauthenticated("Expected a Basic token");
  const { clientId, clientSecret } = decode(encoded);
  const tenant = tenants.find(clientId);
  const isRight = timingSafeEqual(digest(clientSecret), digest(tenant?.clientSecret ?? ""));
  if (!tenant || !isRight) throw unauthenticated("Invalid client credentials");
  return tenant;
}
