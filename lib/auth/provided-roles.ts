import { and, eq, inArray } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import { log } from "@/lib/log";
import type { Tx } from "@/lib/store/store";
import type { Membership } from "./membership";
import { can, type Role } from "./permission";
import { holdRoster, isLastAdmin } from "./roster";
import { staffMembership } from "./schema";
import { endSessionsOf } from "./sessions";

/** On record in place of a person: what the company's provider decides. */
export const PROVIDER = "oidc";

const rolesAt = (memberships: readonly Membership[], tenant: string): Role[] =>
  memberships.find((membership) => membership.tenant === tenant)?.roles ?? [];
const written = (roles: readonly Role[]) => roles.toSorted().join(",");

type Asked = { given: readonly Membership[]; tenants: readonly string[] };
type Change = { at: string; before: Role[]; after: Role[]; isKept: boolean };

const isChange = ({ before, after }: Change) => written(before) !== written(after);

async function heldBy(tx: Tx, staffId: string, tenants: readonly string[]): Promise<Membership[]> {
  const { tenant, roles } = staffMembership;
  const isTheirs = and(eq(staffMembership.staffId, staffId), inArray(tenant, [...tenants]));
  return tx.select({ tenant, roles }).from(staffMembership).where(isTheirs);
}

/** What is to change, each tenant's people held, always in the same order; who alone is admin of one stays that. */
async function readChanges(tx: Tx, staffId: string, { given, tenants }: Asked): Promise<Change[]> {
  const held = await heldBy(tx, staffId, tenants);
  const differing = tenants.filter((at) => written(rolesAt(held, at)) !== written(rolesAt(given, at))).toSorted();
  const changes: Change[] = [];
  for (const at of differing) {
    const roster = await holdRoster(tx, at);
    const before = roster.find((member) => member.staffId === staffId)?.roles ?? [];
    const asked = rolesAt(given, at);
    const isKept = isLastAdmin(roster, staffId) && !can(asked, "staff:manage");
    changes.push({ at, before, after: isKept ? [...asked, "admin"] : asked, isKept });
  }
  return changes;
}

async function write(tx: Tx, staffId: string, { at, after }: Change): Promise<void> {
  const { tenant } = staffMembership;
  if (after.length === 0) {
    await tx.delete(staffMembership).where(and(eq(staffMembership.staffId, staffId), eq(tenant, at)));
    return;
  }
  await tx
    .insert(staffMembership)
    .values({ staffId, tenant: at, roles: after })
    .onConflictDoUpdate({ target: [staffMembership.staffId, tenant], set: { roles: after } });
}

/**
 * Puts the provider's roles in the place of those held at these tenants; a change ends the person's sessions and is on
 * record at each tenant it concerns. Who is kept out of a tenant stays out of it, whatever their roles. The last admin of
 * a tenant stays its admin, and that is on record as refused: somebody must be left to manage its people.
 */
export async function replaceRoles(tx: Tx, staffId: string, asked: Asked): Promise<void> {
  const changes = await readChanges(tx, staffId, asked);
  const changed = changes.filter(isChange);
  for (const change of changed) await write(tx, staffId, change);
  const at = changes.map((change) => change.at);
  if (changed.length > 0) await endSessionsOf(tx, staffId, { reason: "roles-changed", by: PROVIDER, at });
  for (const change of changes) {
    const entry = { tenant: change.at, actor: PROVIDER, code: "staff.roles", object: `staff:${staffId}` } as const;
    const detail = { before: written(change.before), after: written(change.after), how: PROVIDER };
    if (isChange(change)) await record(tx, { ...entry, outcome: "DONE", detail });
    if (!change.isKept) continue;
    log.warn({ tenant: change.at }, "single sign-on would have taken the last admin away: the role was kept");
    await record(tx, { ...entry, outcome: "REFUSED", detail: { ...detail, why: "last-admin" } });
  }
}
