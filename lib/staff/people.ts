import { and, eq, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { AuditCode } from "@/lib/audit/codes";
import { clearFactor } from "@/lib/auth/factor";
import { can, type Role, ROLES } from "@/lib/permission/permission";
import { type Member, revokeInvitationsBy } from "@/lib/auth/roster";
import { staffMembership } from "@/lib/db/tables/auth";
import { endSessionsOf } from "@/lib/auth/sessions";
import { AppError, refuse } from "@/lib/errors/app-error";
import { publish } from "@/lib/db/publish";
import type { Db, Tx } from "@/lib/db/connection";
import { staffCan } from "./can";
import type { Handover } from "./inputs";
import { type HandedOver, handOverAll } from "./left-behind";
import { type Manager, requireAnotherAdmin, tenantsBeyond, withMember } from "./roster";

type Managed = { manager: Manager; staffId: string };
type Detail = Record<string, string | number | boolean | null>;

export const rolesInOrder = (roles: readonly Role[]) => ROLES.filter((role) => roles.includes(role)).join(",");

/** Last, as a tenant's record is written by one at a time. */
async function announce(
  tx: Tx,
  { manager, staffId }: Managed,
  entry: { code: AuditCode; detail: Detail },
): Promise<void> {
  await publish(tx, { tenant: manager.tenant, topic: "staff", object: staffId });
  const { tenant, id: actor } = manager;
  await record(tx, { tenant, actor, outcome: "DONE", object: `staff:${staffId}`, ...entry });
}

const membershipOf = ({ manager, staffId }: Managed) =>
  and(eq(staffMembership.staffId, staffId), eq(staffMembership.tenant, manager.tenant));

type RolesChange = { staffId: string; roles: readonly Role[]; expected: readonly Role[] };

/** `expected`: the roles that the manager saw. Throws `AppError`. */
export function changeRoles(
  store: Db | Tx,
  manager: Manager,
  { staffId, roles, expected }: RolesChange,
): Promise<void> {
  const managed = { manager, staffId };
  return withMember(store, managed, async (tx, member, roster) => {
    const before = rolesInOrder(member.roles);
    const after = rolesInOrder(roles);
    if (before !== rolesInOrder(expected)) throw new AppError("conflict", { code: "roles-changed" });
    if (before === after) return;
    const isAdminNoMore = can(member.roles, "staff:manage") && !can(roles, "staff:manage");
    if (isAdminNoMore) requireAnotherAdmin(roster, staffId);
    await tx
      .update(staffMembership)
      .set({ roles: ROLES.filter((role) => roles.includes(role)) })
      .where(membershipOf(managed));
    const invitationsRevoked = isAdminNoMore ? await revokeInvitationsBy(tx, { staffId, at: manager.tenant }) : 0;
    const sessionsEnded = await endSessionsOf(tx, staffId, {
      reason: "roles-changed",
      by: manager.id,
      at: [manager.tenant],
    });
    await announce(tx, managed, { code: "staff.roles", detail: { before, after, sessionsEnded, invitationsRevoked } });
  });
}

const stateOf = ({ isDisabled }: Member) => (isDisabled ? "disabled" : "active");

const NOTHING: Handover = { cases: null, views: null };

/** `enablePerson` restores roles, not what was handed over. Throws conflict `person-disabled`, and as `handOverAll`. */
export function disablePerson(
  store: Db,
  manager: Manager,
  staffId: string,
  to: Handover = NOTHING,
): Promise<HandedOver> {
  const managed = { manager, staffId };
  return withMember(store, managed, async (tx, member, roster) => {
    if (member.isDisabled) {
      if (to.cases !== null || to.views !== null) throw new AppError("conflict", { code: "person-disabled" });
      return { cases: 0, views: 0 };
    }
    requireAnotherAdmin(roster, staffId);
    await tx
      .update(staffMembership)
      .set({ disabledAt: sql`clock_timestamp()` })
      .where(membershipOf(managed));
    const handed = await handOverAll(tx, { ...managed, roster }, to);
    const invitationsRevoked = await revokeInvitationsBy(tx, { staffId, at: manager.tenant });
    const sessionsEnded = await endSessionsOf(tx, staffId, {
      reason: "disabled",
      by: manager.id,
      at: [manager.tenant],
    });
    const detail = {
      before: stateOf(member),
      after: "disabled",
      roles: rolesInOrder(member.roles),
      sessionsEnded,
      invitationsRevoked,
      ...(to.cases !== null && { casesTo: to.cases, casesHanded: handed.cases }),
      ...(to.views !== null && { viewsTo: to.views, viewsHanded: handed.views }),
    };
    await announce(tx, managed, { code: "staff.disable", detail });
    return handed;
  });
}

export function enablePerson(store: Db, manager: Manager, staffId: string): Promise<void> {
  const managed = { manager, staffId };
  return withMember(store, managed, async (tx, member) => {
    if (!member.isDisabled) return;
    await tx.update(staffMembership).set({ disabledAt: null }).where(membershipOf(managed));
    const detail = { before: "disabled", after: "active", roles: rolesInOrder(member.roles) };
    await announce(tx, managed, { code: "staff.enable", detail });
  });
}

/** It protects them at every tenant, so the manager must manage all of theirs. False when there was none. */
export function resetFactorOf(store: Db | Tx, manager: Manager, staffId: string): Promise<boolean> {
  const managed = { manager, staffId };
  return withMember(store, managed, async (tx) => {
    const worksElsewhere = (await tenantsBeyond(tx, manager, staffId)).length > 0;
    refuse(staffCan.resetFactor({ isSelf: false, worksElsewhere }));
    const { hadFactor, invitationsRevoked } = await clearFactor(tx, staffId);
    const sessionsEnded = await endSessionsOf(tx, staffId, {
      reason: "factor-changed",
      by: manager.id,
      at: [manager.tenant],
    });
    const detail = { before: hadFactor, after: false, sessionsEnded, invitationsRevoked };
    await announce(tx, managed, { code: "staff.reset-mfa", detail });
    return hadFactor;
  });
}

export function endSessionsFor(store: Db, manager: Manager, staffId: string): Promise<number> {
  const managed = { manager, staffId };
  return withMember(store, managed, async (tx) => {
    const sessionsEnded = await endSessionsOf(tx, staffId, {
      reason: "ended-by-admin",
      by: manager.id,
      at: [manager.tenant],
    });
    await announce(tx, managed, { code: "staff.end-sessions", detail: { sessionsEnded } });
    return sessionsEnded;
  });
}
