import { and, eq, inArray, ne } from "drizzle-orm";
import { defineChange, type Ordering } from "@/lib/approvals/define-write";
import { ASKED, executeOrPropose } from "@/lib/approvals/propose";
import { approval } from "@/lib/db/tables/approvals";
import { readSnapshot, type Shown, shownText } from "@/lib/approvals/snapshot";
import { OPEN_STATES } from "@/lib/approvals/view";
import type { Actor } from "@/lib/permission/grant";
import { addsCriticalRole, type Role } from "@/lib/permission/permission";
import { nothing, type Proposed } from "@/lib/provider/intents/intent-record";
import { holdRoster, readRoster } from "@/lib/auth/roster";
import { AppError, refuse } from "@/lib/errors/app-error";
import { emailSpellings } from "@/lib/text/email-address";
import type { Db, Tx } from "@/lib/db/connection";
import { lockByHashes } from "@/lib/db/lease";
import { staffCan } from "./can";
import { type Invitation, inviteAs, isInvited, isMember, newLinkOf } from "./invitations";
import { readPeople } from "./listing";
import { changeRoles, rolesInOrder, resetFactorOf } from "./people";
import { requireManager, tenantsBeyond } from "./roster";
import { FactorReset, NewInvitation, RolesChange } from "./inputs";

type Admin = Actor<"staff:manage">;

/** A maker who has lost the right meanwhile cannot propose. */
async function holdAsManager(tx: Tx, maker: Admin): Promise<void> {
  requireManager(await holdRoster(tx, maker.tenant), maker);
}

async function requireOther(tx: Tx, { id, tenant }: Admin, staffId: string): Promise<readonly Role[]> {
  const member = (await readRoster(tx, tenant)).find((one) => one.staffId === staffId);
  if (member === undefined) throw new AppError("not-found", { code: "no-such-person" });
  refuse(staffCan.change({ isSelf: staffId === id }));
  return member.roles;
}

type OfPerson = Ordering<"staff:manage", { staffId: string }>;

const personOf = async (_store: unknown, _tenant: string, { staffId }: { staffId: string }) => `staff:${staffId}`;

/** Shows this tenant alone, and not where else somebody works. */
async function showPerson(tx: Tx, { actor, order: { staffId } }: OfPerson, facts: Shown["facts"]): Promise<Shown> {
  const [found] = await readPeople(tx, actor.tenant, staffId);
  const person = found?.person;
  if (person === undefined) throw new AppError("not-found", { code: "no-such-person" });
  const email = { name: "email", before: null, after: shownText(person.email) } as const;
  return { headline: shownText(person.name), href: `/staff/${staffId}`, facts: [email, ...facts] };
}

async function refuseAskedAlready(tx: Tx, tenant: string, { email, intentId }: NewInvitation): Promise<void> {
  const [address] = emailSpellings(email);
  await lockByHashes(tx, `invitation ${tenant} ${address}`);
  const open = and(
    eq(approval.tenant, tenant),
    eq(approval.kind, "staff.invite"),
    inArray(approval.state, [...OPEN_STATES]),
    ne(approval.intentId, intentId),
  );
  for (const row of await tx.select().from(approval).where(open)) {
    const snapshot = await readSnapshot(row);
    const asked = snapshot === null ? null : NewInvitation.parse(JSON.parse(snapshot.order));
    if (asked !== null && emailSpellings(asked.email)[0] === address)
      throw new AppError("conflict", { code: "invitation-waits" });
  }
}

export const inviteStaff = defineChange({
  name: "staff.invite",
  order: NewInvitation,
  objectOf: async (_store, _tenant, { intentId }) => `invitation:${intentId}`,
  validate: async (tx, { actor, order }) => {
    await holdAsManager(tx, actor);
    const { tenant } = actor;
    const { email } = order;
    if (await isMember(tx, tenant, email)) throw new AppError("conflict", { code: "already-member" });
    if (await isInvited(tx, tenant, email)) throw new AppError("conflict", { code: "already-invited" });
    await refuseAskedAlready(tx, tenant, order);
  },
  approval: {
    isExclusive: true,
    needsApproval: async (_tx, { order }) => (addsCriticalRole([], order.roles) ? ASKED : null),
    show: async (_tx, { order: { name, email, roles } }) => ({
      headline: shownText(name),
      href: null,
      facts: [
        { name: "email", before: null, after: shownText(email) },
        { name: "roles", before: null, after: { as: "roles", roles } },
      ],
    }),
    proposed: nothing,
  },
  apply: (tx, { actor, order: { intentId: id, email, name, roles } }) =>
    inviteAs(tx, actor, { id, email, name, roles }),
});

export const giveRoles = defineChange({
  name: "staff.roles",
  order: RolesChange,
  objectOf: personOf,
  validate: async (tx, { actor, order: { staffId, expected } }) => {
    await holdAsManager(tx, actor);
    const held = await requireOther(tx, actor, staffId);
    if (rolesInOrder(held) !== rolesInOrder(expected)) throw new AppError("conflict", { code: "roles-changed" });
  },
  approval: {
    isExclusive: true,
    // The change itself checks whether these roles are held.
    needsApproval: async (_tx, { order }) => (addsCriticalRole(order.expected, order.roles) ? ASKED : null),
    show: (tx, ordering) => {
      const { roles, expected } = ordering.order;
      const change = {
        name: "roles",
        before: { as: "roles", roles: expected },
        after: { as: "roles", roles },
      } as const;
      return showPerson(tx, ordering, [change]);
    },
    proposed: nothing,
  },
  apply: async (tx, { actor, order }): Promise<{ state: "CHANGED" }> => {
    await changeRoles(tx, actor, order);
    return { state: "CHANGED" };
  },
});

export const resetFactor = defineChange({
  name: "staff.reset-factor",
  order: FactorReset,
  objectOf: personOf,
  validate: async (tx, { actor, order: { staffId } }) => {
    await holdAsManager(tx, actor);
    await requireOther(tx, actor, staffId);
    const worksElsewhere = (await tenantsBeyond(tx, actor, staffId)).length > 0;
    refuse(staffCan.resetFactor({ isSelf: false, worksElsewhere }));
  },
  approval: {
    isExclusive: true,
    needsApproval: async () => ASKED,
    show: (tx, ordering) => showPerson(tx, ordering, []),
    proposed: nothing,
  },
  apply: async (tx, { actor, order: { staffId } }): Promise<{ state: "CHANGED" }> => {
    await resetFactorOf(tx, actor, staffId);
    return { state: "CHANGED" };
  },
});

export const orderInvitation = (actor: Admin, order: NewInvitation): Promise<Invitation | Proposed> =>
  executeOrPropose(inviteStaff, actor, order);

export const orderRoles = (actor: Admin, order: RolesChange): Promise<{ state: "CHANGED" } | Proposed> =>
  executeOrPropose(giveRoles, actor, order);

export const orderFactorReset = (actor: Admin, order: FactorReset): Promise<{ state: "CHANGED" } | Proposed> =>
  executeOrPropose(resetFactor, actor, order);

/** With a new link; null for any other proposal. */
export async function findAuthorised(
  store: Db,
  { tenant, approvalId, shownTo }: { tenant: string; approvalId: string; shownTo: string | null },
): Promise<Invitation | null> {
  const [row] = await store
    .select({ invitationId: approval.intentId, kind: approval.kind })
    .from(approval)
    .where(and(eq(approval.tenant, tenant), eq(approval.id, approvalId), eq(approval.state, "EXECUTED")));
  if (row === undefined || row.kind !== inviteStaff.name) return null;
  return newLinkOf(store, { tenant, invitationId: row.invitationId, shownTo });
}
