import { eq, inArray } from "drizzle-orm";
import { can, type Role } from "@/lib/auth/permission";
import { staffMembership } from "@/lib/auth/schema";
import { BankError } from "@/lib/bank/error";
import { env } from "@/lib/env";
import { staff } from "@/lib/store/schema";
import type { Db, Tx } from "@/lib/store/store";

/** Who manages the people of one tenant: a person who holds `staff:manage` there, or a command of the machine. */
export type Manager = { id: string; tenant: string };

/** The actor on record of what is done from the command line. */
export const COMMAND = "command";

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

const isAdmin = ({ isActive, roles }: Member) => isActive && can(roles, "staff:manage");

/** Somebody else must be left to manage the people of this tenant. */
export function requireAnotherAdmin(roster: readonly Member[], staffId: string): void {
  const [admin, ...others] = roster.filter(isAdmin);
  if (admin?.staffId === staffId && others.length === 0) throw new BankError("conflict", { code: "last-admin" });
}

/** Whether whoever did something as a manager of this tenant may still do it. */
export const mayManage = (roster: readonly Member[], id: string): boolean =>
  id === COMMAND || roster.some((member) => member.staffId === id && isAdmin(member));

/** They may have lost the right since their request began. */
export function requireManager(roster: readonly Member[], { id }: Manager): void {
  if (!mayManage(roster, id)) throw new BankError("forbidden", { code: "staff:manage" });
}

/**
 * Changes something about one of the tenant's people, under the lock of its roster. Nobody does it to themselves; somebody
 * who is not of this tenant is not found.
 */
export function withMember<T>(
  store: Db,
  { manager, staffId }: { manager: Manager; staffId: string },
  change: (tx: Tx, member: Member, roster: Member[]) => Promise<T>,
): Promise<T> {
  return store.transaction(async (tx) => {
    const roster = await holdRoster(tx, manager.tenant);
    requireManager(roster, manager);
    const member = roster.find((one) => one.staffId === staffId);
    if (member === undefined) throw new BankError("not-found", { code: "no-such-person" });
    if (staffId === manager.id) throw new BankError("forbidden", { code: "own-account" });
    return change(tx, member, roster);
  });
}

/** Of the tenants where this person works, those where the manager may not manage people. */
export async function tenantsBeyond(store: Db | Tx, manager: Manager, staffId: string): Promise<string[]> {
  if (manager.id === COMMAND) return [];
  const { tenants } = env();
  const held = await store
    .select()
    .from(staffMembership)
    .where(inArray(staffMembership.staffId, [staffId, manager.id]));
  const mine = held.filter((row) => row.staffId === manager.id && row.disabledAt === null);
  const managed = new Set(mine.filter(({ roles }) => can(roles, "staff:manage")).map(({ tenant }) => tenant));
  const theirs = new Set(held.filter((row) => row.staffId === staffId).map(({ tenant }) => tenant));
  return tenants.map(({ clientId }) => clientId).filter((id) => theirs.has(id) && !managed.has(id));
}
