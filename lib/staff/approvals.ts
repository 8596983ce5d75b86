import { and, eq, inArray, ne } from "drizzle-orm";
import { ASKED, executeOrPropose, type Proposed, storedKind } from "@/lib/approvals/propose";
import { approval } from "@/lib/db/tables/approvals";
import { readSnapshot, type Shown, shownText } from "@/lib/approvals/snapshot";
import { OPEN_STATES } from "@/lib/approvals/view";
import type { Actor } from "@/lib/permission/grant";
import { addsCriticalRole, type Role } from "@/lib/permission/permission";
import { nothing } from "@/lib/provider/intents/intent-record";
import { holdRoster, readRoster } from "@/lib/auth/roster";
import { AppError, refuse } from "@/lib/errors/app-error";
import { emailSpellings } from "@/lib/text/email-address";
import type { Db, Tx } from "@/lib/db/connection";
import { lockByHashes } from "@/lib/db/lease";
import { staffCan } from "./can";
import { type Invitation, inviteAs, isInvited, isMember, newLinkOf } from "./invitations";
import { readPeople } from "./listing";
import { changeRoles, listed, resetFactorOf } from "./people";
import { requireManager, tenantsBeyond } from "./roster";
import { FactorReset, NewInvitation, RolesChange } from "./inputs";

type Admin = Actor<"staff:manage">;

/** Whoever lost the right at this moment asks for nothing any more. */
async function holdAsManager(tx: Tx, maker: Admin): Promise<void> {
  requireManager(await holdRoster(tx, maker.tenant), maker);
}

async function requireOther(tx: Tx, { id, tenant }: Admin, staffId: string): Promise<readonly Role[]> {
  const member = (await readRoster(tx, tenant)).find((one) => one.staffId === staffId);
  if (member === undefined) throw new AppError("not-found", { code: "no-such-person" });
  refuse(staffCan.change({ isSelf: staffId === id }));
  return member.roles;
}

/** Of this tenant alone: where else somebody works is not shown. */
type About = { store: Tx; tenant: string; order: { staffId: string } };

async function showPerson({ store, tenant, order }: About, facts: Shown["facts"]): Promise<Shown> {
  const { staffId } = order;
  const [found] = await readPeople(store, tenant, staffId);
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

export const invitationApproval = storedKind({
  name: "staff.invite",
  permission: "staff:manage",
  order: NewInvitation,
  isExclusive: true,
  objectOf: async ({ order: { intentId } }) => `invitation:${intentId}`,
  needsApproval: async ({ order }) => (addsCriticalRole([], order.roles) ? ASKED : null),
  validate: async (tx, maker, order) => {
    await holdAsManager(tx, maker);
    const { tenant } = maker;
    const { email } = order;
    if (await isMember(tx, tenant, email)) throw new AppError("conflict", { code: "already-member" });
    if (await isInvited(tx, tenant, email)) throw new AppError("conflict", { code: "already-invited" });
    await refuseAskedAlready(tx, tenant, order);
  },
  show: async ({ order: { name, email, roles } }) => ({
    headline: shownText(name),
    href: null,
    facts: [
      { name: "email", before: null, after: shownText(email) },
      { name: "roles", before: null, after: { as: "roles", roles } },
    ],
  }),
  proposed: nothing,
  apply: async (tx, actor, { intentId: id, email, name, roles }) => inviteAs(tx, actor, { id, email, name, roles }),
});

export const rolesApproval = storedKind({
  name: "staff.roles",
  permission: "staff:manage",
  order: RolesChange,
  isExclusive: true,
  objectOf: async ({ order: { staffId } }) => `staff:${staffId}`,
  // Whether these are the roles held is checked on change.
  needsApproval: async ({ order }) => (addsCriticalRole(order.expected, order.roles) ? ASKED : null),
  validate: async (tx, maker, { staffId, expected }) => {
    await holdAsManager(tx, maker);
    const held = await requireOther(tx, maker, staffId);
    if (listed(held) !== listed(expected)) throw new AppError("conflict", { code: "roles-changed" });
  },
  show: async (about) => {
    const { roles, expected } = about.order;
    return showPerson(about, [
      { name: "roles", before: { as: "roles", roles: expected }, after: { as: "roles", roles } },
    ]);
  },
  proposed: nothing,
  apply: async (tx, actor, change): Promise<{ state: "CHANGED" }> => {
    await changeRoles(tx, actor, change);
    return { state: "CHANGED" };
  },
});

export const factorApproval = storedKind({
  name: "staff.reset-factor",
  permission: "staff:manage",
  order: FactorReset,
  isExclusive: true,
  objectOf: async ({ order: { staffId } }) => `staff:${staffId}`,
  needsApproval: async () => ASKED,
  validate: async (tx, maker, { staffId }) => {
    await holdAsManager(tx, maker);
    await requireOther(tx, maker, staffId);
    const worksElsewhere = (await tenantsBeyond(tx, maker, staffId)).length > 0;
    refuse(staffCan.resetFactor({ isSelf: false, worksElsewhere }));
  },
  show: (about) => showPerson(about, []),
  proposed: nothing,
  apply: async (tx, actor, { staffId }): Promise<{ state: "CHANGED" }> => {
    await resetFactorOf(tx, actor, staffId);
    return { state: "CHANGED" };
  },
});

export const orderInvitation = (actor: Admin, order: NewInvitation): Promise<Invitation | Proposed> =>
  executeOrPropose(invitationApproval, actor, order);

export const orderRoles = (actor: Admin, order: RolesChange): Promise<{ state: "CHANGED" } | Proposed> =>
  executeOrPropose(rolesApproval, actor, order);

export const orderFactorReset = (actor: Admin, order: FactorReset): Promise<{ state: "CHANGED" } | Proposed> =>
  executeOrPropose(factorApproval, actor, order);

/** With a new link; null for any other proposal. */
export async function findAuthorised(
  store: Db,
  { tenant, approvalId, shownTo }: { tenant: string; approvalId: string; shownTo: string | null },
): Promise<Invitation | null> {
  const [row] = await store
    .select({ invitationId: approval.intentId, kind: approval.kind })
    .from(approval)
    .where(and(eq(approval.tenant, tenant), eq(approval.id, approvalId), eq(approval.state, "EXECUTED")));
  if (row === undefined || row.kind !== invitationApproval.name) return null;
  return newLinkOf(store, { tenant, invitationId: row.invitationId, shownTo });
}
