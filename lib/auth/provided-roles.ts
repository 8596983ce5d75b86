import { and, eq, inArray } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { Tx } from "@/lib/store/store";
import type { Membership } from "./membership";
import { staffMembership } from "./schema";
import { endSessionsOf } from "./sessions";

/** On record in place of a person: what the company's provider decides. */
export const PROVIDER = "oidc";

const written = (memberships: readonly Membership[], tenant: string) =>
  memberships
    .find((membership) => membership.tenant === tenant)
    ?.roles.toSorted()
    .join(",") ?? "";

/**
 * Puts the provider's roles in the place of those held at these tenants; a change ends the person's sessions and is on
 * record at each tenant it concerns. Who is kept out of a tenant stays out of it, whatever their roles.
 */
export async function replaceRoles(
  tx: Tx,
  staffId: string,
  { given, tenants }: { given: readonly Membership[]; tenants: readonly string[] },
): Promise<void> {
  const { tenant, roles } = staffMembership;
  const isTheirs = and(eq(staffMembership.staffId, staffId), inArray(tenant, [...tenants]));
  const held = await tx.select({ tenant, roles }).from(staffMembership).where(isTheirs).for("update");
  // Always in the same order: two that write on record must not wait for each other.
  const changed = tenants.filter((at) => written(held, at) !== written(given, at)).toSorted();
  if (changed.length === 0) return;
  for (const at of changed) {
    const now = given.find((membership) => membership.tenant === at)?.roles;
    const place = and(eq(staffMembership.staffId, staffId), eq(tenant, at));
    if (now === undefined) await tx.delete(staffMembership).where(place);
    else {
      await tx
        .insert(staffMembership)
        .values({ staffId, tenant: at, roles: now })
        .onConflictDoUpdate({ target: [staffMembership.staffId, tenant], set: { roles: now } });
    }
  }
  await endSessionsOf(tx, staffId, { reason: "roles-changed", by: PROVIDER });
  for (const at of changed) {
    const detail = { before: written(held, at), after: written(given, at), how: PROVIDER };
    const entry = { tenant: at, actor: PROVIDER, object: `staff:${staffId}`, detail };
    await record(tx, { ...entry, code: "staff.roles", outcome: "DONE" });
  }
}
