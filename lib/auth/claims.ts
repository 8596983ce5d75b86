import { z } from "zod";
import type { Oidc } from "@/lib/oidc-settings";
import { isStorable } from "@/lib/contract/shared";
import { type Role, ROLES } from "./permission";
import type { Membership } from "./membership";

const Kept = z.string().min(1).max(320).refine(isStorable);

/** What a provider says of somebody (OpenID Connect Core: Standard Claims), in so far as it is understood here. */
export const Claims = z.looseObject({
  sub: Kept,
  email: z.email().max(320).optional().catch(undefined),
  // Some providers write it as a text.
  email_verified: z
    .union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")])
    .optional()
    .catch(undefined),
  name: Kept.optional().catch(undefined),
  amr: z.array(z.string()).optional().catch(undefined),
  auth_time: z.number().min(0).optional().catch(undefined),
});
export type Claims = z.output<typeof Claims>;

/** Whether everything that is asked of somebody is said already. */
export const isComplete = (claims: Readonly<Record<string, unknown>>, { rolesClaim }: Oidc): boolean =>
  claims["email"] !== undefined && claims[rolesClaim] !== undefined;

const ClaimValues = z.union([z.array(z.string()), z.string().transform((value) => [value])]).catch([]);

/** What the claim's values come to by the map: the roles at each of these tenants, none where there are none. */
export function membershipsOf(claims: Claims, oidc: Oidc, tenants: readonly string[]): Membership[] {
  const values = ClaimValues.parse(claims[oidc.rolesClaim]);
  const grants = values.flatMap((value) => (Object.hasOwn(oidc.roleMap, value) ? [oidc.roleMap[value] ?? []] : []));
  const heldAt = (tenant: string): Role[] => {
    const held = new Set(grants.flatMap((grant) => (Array.isArray(grant) ? grant : (grant[tenant] ?? []))));
    return ROLES.filter((role) => held.has(role));
  };
  return tenants.map((tenant) => ({ tenant, roles: heldAt(tenant) })).filter(({ roles }) => roles.length > 0);
}

/**
 * When somebody really signed in there, which may have been long before they came to us. A provider that does not say it
 * proves nothing recent: what it leaves out may have been left out by whoever sits at an unlocked screen.
 */
export const provenAtProvider = ({ auth_time = 0 }: Claims, now: Date): Date =>
  new Date(Math.min(auth_time * 1000, now.getTime()));

/** Authentication methods (RFC 8176) that say that more than one factor was asked for. */
const SAYS_MFA = ["mfa", "mca"];

/** Whether a second factor was proven at the provider, in so far as the settings believe it. */
export function provedSecondFactor({ amr = [] }: Claims, { trustsMfa }: Oidc): boolean {
  if (trustsMfa === "always") return true;
  return trustsMfa === "amr" && amr.some((method) => SAYS_MFA.includes(method));
}
