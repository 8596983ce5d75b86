import { inArray } from "drizzle-orm";
import { can } from "@/lib/permission/permission";
import { holdRoster, isAdmin, isLastAdmin, type Member } from "@/lib/auth/roster";
import { staffMembership } from "@/lib/db/tables/auth";
import { AppError, refuse } from "@/lib/errors/app-error";
import { env } from "@/lib/settings/env";
import type { Db, Tx } from "@/lib/db/connection";
import { staffCan } from "./can";

/** With `staff:manage`, or a command of this machine. */
export type Manager = { id: string; tenant: string };

export const COMMAND = "command";

export function requireAnotherAdmin(roster: readonly Member[], staffId: string): void {
  if (isLastAdmin(roster, staffId)) throw new AppError("conflict", { code: "last-admin" });
}

export const mayManage = (roster: readonly Member[], id: string): boolean =>
  id === COMMAND || roster.some((member) => member.staffId === id && isAdmin(member));

/** They may have lost the right since their request began. */
export function requireManager(roster: readonly Member[], { id }: Manager): void {
  if (!mayManage(roster, id)) throw new AppError("forbidden", { code: "staff:manage" });
}

/** Locks the roster. Nobody changes themselves; people of other tenants are not found. */
export function withMember<T>(
  store: Db | Tx,
  { manager, staffId }: { manager: Manager; staffId: string },
  change: (tx: Tx, member: Member, roster: Member[]) => Promise<T>,
): Promise<T> {
  return store.transaction(async (tx) => {
    const roster = await holdRoster(tx, manager.tenant);
    requireManager(roster, manager);
    const member = roster.find((one) => one.staffId === staffId);
    if (member === undefined) throw new AppError("not-found", { code: "no-such-person" });
    refuse(staffCan.change({ isSelf: staffId === manager.id }));
    return change(tx, member, roster);
  });
}

/** Tenants of theirs where the manager may not manage people. */
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
