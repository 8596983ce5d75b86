import { and, eq, isNotNull, isNull, or, sql } from "drizzle-orm";
import { env } from "@/lib/settings/env";
import { staff } from "@/lib/store/schema";
import type { Db, Tx } from "@/lib/store/store";
import { can, type Role } from "./permission";
import { staffInvitation, staffMembership } from "./schema";

export type Member = {
  staffId: string;
  roles: Role[];
  /** Kept out of this tenant. */
  isDisabled: boolean;
  /** Neither kept out here nor everywhere. */
  isActive: boolean;
};

function rosterRows(store: Db | Tx, tenant: string) {
  const { staffId, roles, disabledAt } = staffMembership;
  return store
    .select({ staffId, roles, disabledAt, closedAt: staff.disabledAt, isDemo: staff.isDemo })
    .from(staffMembership)
    .innerJoin(staff, eq(staff.id, staffId))
    .where(eq(staffMembership.tenant, tenant))
    .orderBy(staffId);
}

const toMember = (row: Awaited<ReturnType<typeof rosterRows>>[number]): Member => ({
  staffId: row.staffId,
  roles: row.roles,
  isDisabled: row.disabledAt !== null,
  isActive: row.disabledAt === null && row.closedAt === null && (!row.isDemo || env().isEmbedded),
});

export async function readRoster(store: Db | Tx, tenant: string): Promise<Member[]> {
  return (await rosterRows(store, tenant)).map(toMember);
}

/**
 * The people of a tenant, held as they are until the transaction ends: two admins who change each other at once take
 * turns, and the second one sees what the first one did.
 */
export async function holdRoster(tx: Tx, tenant: string): Promise<Member[]> {
  return (await rosterRows(tx, tenant).for("update", { of: staffMembership })).map(toMember);
}

export const isAdmin = ({ isActive, roles }: Member) => isActive && can(roles, "staff:manage");

/** Whether nobody but this person, however they sign in, manages the people of the tenant. */
export function isLastAdmin(roster: readonly Member[], staffId: string): boolean {
  const [admin, ...others] = roster.filter(isAdmin);
  return admin?.staffId === staffId && others.length === 0;
}

/** Whom this person brought in at the tenant, and who brought them in: by an invitation that was accepted. */
async function relatedByInvitation(
  store: Db | Tx,
  { tenant, staffId }: { tenant: string; staffId: string },
): Promise<string[]> {
  const { invitedBy, acceptedAt, email } = staffInvitation;
  const invited = await store
    .select({ by: invitedBy, id: staff.id })
    .from(staffInvitation)
    .innerJoin(staff, sql`lower(${staff.email}) = lower(${email})`)
    .where(
      and(eq(staffInvitation.tenant, tenant), isNotNull(acceptedAt), or(eq(invitedBy, staffId), eq(staff.id, staffId))),
    );
  return invited.map(({ by, id }) => (by === staffId ? id : by));
}

/** The tenant's other administrators who neither brought this person in nor were brought in by them. */
export async function independentAdmins(
  store: Db | Tx,
  { tenant, staffId }: { tenant: string; staffId: string },
): Promise<string[]> {
  const related = new Set([staffId, ...(await relatedByInvitation(store, { tenant, staffId }))]);
  const admins = (await readRoster(store, tenant)).filter(isAdmin);
  return admins.flatMap((admin) => (related.has(admin.staffId) ? [] : [admin.staffId]));
}

/** What somebody invited while they might is good no longer once they may not, at a tenant or (null) at all: they know the links. */
export async function revokeInvitationsBy(
  tx: Tx,
  { staffId, at }: { staffId: string; at: string | null },
): Promise<number> {
  const { tenant, invitedBy, acceptedAt, revokedAt } = staffInvitation;
  const isThere = at === null ? undefined : eq(tenant, at);
  const revoked = await tx
    .update(staffInvitation)
    .set({ revokedAt: sql`clock_timestamp()` })
    .where(and(isThere, eq(invitedBy, staffId), isNull(acceptedAt), isNull(revokedAt)))
    .returning({ id: staffInvitation.id });
  return revoked.length;
}
