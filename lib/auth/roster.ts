import { and, eq, isNotNull, isNull, or, sql } from "drizzle-orm";
import { env } from "@/lib/settings/env";
import { staff } from "@/lib/db/tables/staff";
import type { Db, Tx } from "@/lib/db/connection";
import { can, type Role } from "@/lib/permission/permission";
import { staffInvitation, staffMembership } from "@/lib/db/tables/auth";

export type Member = {
  staffId: string;
  roles: Role[];
  /** Barred from this tenant. */
  isDisabled: boolean;
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

/** Locks the tenant's people, so that two admins who change each other take turns. */
export async function holdRoster(tx: Tx, tenant: string): Promise<Member[]> {
  return (await rosterRows(tx, tenant).for("update", { of: staffMembership })).map(toMember);
}

export const isAdmin = ({ isActive, roles }: Member) => isActive && can(roles, "staff:manage");

export function isLastAdmin(roster: readonly Member[], staffId: string): boolean {
  const [admin, ...others] = roster.filter(isAdmin);
  return admin?.staffId === staffId && others.length === 0;
}

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

/** Administrators who neither invited this person nor were invited by them. */
export async function independentAdmins(
  store: Db | Tx,
  { tenant, staffId }: { tenant: string; staffId: string },
): Promise<string[]> {
  const related = new Set([staffId, ...(await relatedByInvitation(store, { tenant, staffId }))]);
  const admins = (await readRoster(store, tenant)).filter(isAdmin);
  return admins.flatMap((admin) => (related.has(admin.staffId) ? [] : [admin.staffId]));
}

/** Their issuer knows the links. `tenant` null: at all tenants. */
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
