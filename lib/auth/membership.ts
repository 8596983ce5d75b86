import { and, eq, isNull } from "drizzle-orm";
import { env } from "@/lib/env";
import type { Db, Tx } from "@/lib/store/store";
import type { Tenant } from "@/lib/tenants-file";
import type { Role } from "./permission";
import { staffMembership } from "./schema";

export type Membership = { tenant: string; roles: Role[] };

/** Of these, the ones at tenants that the settings name, in the settings' order. */
export function presentMemberships(memberships: readonly Membership[]): Membership[] {
  return env().tenants.flatMap(({ clientId }) => memberships.find(({ tenant }) => tenant === clientId) ?? []);
}

/**
 * Where the person belongs now, in the settings' order; a tenant that the settings no longer name is unseen, and so is one
 * that keeps them out.
 */
export async function readMemberships(store: Db | Tx, staffId: string): Promise<Membership[]> {
  const { tenant, roles, disabledAt } = staffMembership;
  return presentMemberships(
    await store
      .select({ tenant, roles })
      .from(staffMembership)
      .where(and(eq(staffMembership.staffId, staffId), isNull(disabledAt))),
  );
}

/** The tenants to choose from. */
export const tenantsAmong = (memberships: readonly Membership[]): Tenant[] =>
  env().tenants.filter(({ clientId }) => memberships.some(({ tenant }) => tenant === clientId));
