import { emailSpellings } from "@/lib/text/email-address";
import { env, tenantOf } from "@/lib/settings/env";
import { sendMail, takesAddress } from "@/lib/mail/send";
import type { Delivered } from "./inputs";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { and, eq, gt, inArray, isNull, lte, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { Role } from "@/lib/permission/permission";
import { staffMembership, staffInvitation } from "@/lib/db/tables/auth";
import { AppError } from "@/lib/errors/app-error";
import { claimIntent } from "@/lib/provider/intents/claim";
import { publish } from "@/lib/db/publish";
import { staff } from "@/lib/db/tables/staff";
import type { Db, Tx } from "@/lib/db/connection";
import { rolesInOrder } from "./people";
import { holdRoster } from "@/lib/auth/roster";
import { type Manager, requireManager } from "./roster";

type Say = (part: "subject" | "text", words: Record<string, string | number>) => string;

/** Behind the `#`, which browsers never send: in no log and no Referer. */
export const linkOf = ({ token }: Pick<Invitation, "token">) => new URL(`/invite#${token}`, env().publicUrl).href;

/** Returned only without a mail server, as anybody who sees the link can use it. */
export async function deliver(invitation: Invitation, tenant: string, say: Say): Promise<Delivered> {
  const { id, name, email, expiresAt } = invitation;
  const link = linkOf(invitation);
  const words = { name, tenant: tenantOf(tenant)?.name ?? tenant, link, hours: INVITATION_HOURS };
  const mail = { to: { name, address: email }, subject: say("subject", words), text: say("text", words), link };
  const outcome = await sendMail(mail);
  const shown = outcome === "off" ? link : null;
  return { invitationId: id, name, email, link: shown, expiresAt: expiresAt.toISOString(), mail: outcome };
}

/** Throws invalid `email-server`, beside the field, when our mail server cannot send there. */
export async function checkMailable(address: string): Promise<void> {
  if (!(await takesAddress(address)))
    throw new AppError("invalid", { issues: [{ path: ["email"], params: { code: "email-server" } }] });
}

const INVITATION_HOURS = 24;

export const hashOfToken = (token: string) => createHash("sha256").update(token).digest("hex");

/** It may have expired. */
export const isOpen = and(isNull(staffInvitation.acceptedAt), isNull(staffInvitation.revokedAt));

export const sameEmail = (column: typeof staff.email | typeof staffInvitation.email, email: string) =>
  inArray(sql`lower(${column})`, emailSpellings(email));

const validity = () => ({
  expiresAt: sql`clock_timestamp() + ${INVITATION_HOURS} * interval '1 hour'`,
});

type Invited = { id: string; email: string; name: string; roles: Role[]; expiresAt: Date };

/** `token`: the only copy. */
export type Invitation = Invited & { token: string };

const { id, email, name, roles, expiresAt } = staffInvitation;
const INVITED = { id, email, name, roles, expiresAt };

/** Managers take turns, so that nobody invites after losing the right. */
function asManager<T>(store: Db | Tx, manager: Manager, change: (tx: Tx) => Promise<T>): Promise<T> {
  return store.transaction(async (tx) => {
    requireManager(await holdRoster(tx, manager.tenant), manager);
    return change(tx);
  });
}

type Step = "made" | "renewed" | "revoked";

async function announce(tx: Tx, manager: Manager, invited: { id: string; roles: Role[]; step: Step }): Promise<void> {
  const { tenant, id: actor } = manager;
  await publish(tx, { tenant, topic: "staff", object: invited.id });
  const detail = { step: invited.step, roles: rolesInOrder(invited.roles) };
  const object = `invitation:${invited.id}`;
  await record(tx, { tenant, actor, code: "staff.invite", outcome: "DONE", object, detail });
}

export async function isMember(tx: Tx, tenant: string, address: string): Promise<boolean> {
  const found = await tx
    .select({ id: staff.id })
    .from(staff)
    .innerJoin(staffMembership, and(eq(staffMembership.staffId, staff.id), eq(staffMembership.tenant, tenant)))
    .where(sameEmail(staff.email, address));
  return found.length > 0;
}

export async function isInvited(tx: Tx, tenant: string, address: string): Promise<boolean> {
  const open = and(eq(staffInvitation.tenant, tenant), sameEmail(staffInvitation.email, address), isOpen);
  return (await tx.$count(staffInvitation, and(open, gt(staffInvitation.expiresAt, sql`clock_timestamp()`)))) > 0;
}

type InvitationForm = { email: string; name: string; roles: readonly Role[] };

/** Throws `AppError` when they are there already, or invited. */
export function invite(store: Db, manager: Manager, asked: InvitationForm): Promise<Invitation> {
  return store.transaction(async (tx) => {
    const made = { id: randomUUID(), tenant: manager.tenant };
    const bytes = JSON.stringify(asked);
    await claimIntent(tx, { ...made, kind: "staff.invite", actor: manager.id, bytes, isProposed: false });
    return inviteAs(tx, manager, { ...asked, id: made.id });
  });
}

export function inviteAs(store: Tx, manager: Manager, asked: InvitationForm & { id: string }): Promise<Invitation> {
  const { tenant } = manager;
  return asManager(store, manager, async (tx) => {
    if (await isMember(tx, tenant, asked.email)) throw new AppError("conflict", { code: "already-member" });
    const stale = and(eq(staffInvitation.tenant, tenant), sameEmail(staffInvitation.email, asked.email), isOpen);
    await tx
      .update(staffInvitation)
      .set({ revokedAt: sql`clock_timestamp()` })
      .where(and(stale, lte(staffInvitation.expiresAt, sql`clock_timestamp()`)));
    const token = randomBytes(32).toString("base64url");
    const made = { tenant, tokenHash: hashOfToken(token), invitedBy: manager.id };
    const [invited] = await tx
      .insert(staffInvitation)
      .values({ ...asked, ...made, roles: [...asked.roles], ...validity() })
      .onConflictDoNothing()
      .returning(INVITED);
    if (invited === undefined) throw new AppError("conflict", { code: "already-invited" });
    await announce(tx, manager, { ...invited, step: "made" });
    return { ...invited, token };
  });
}

const mine = (manager: Manager, invitationId: string) =>
  and(eq(staffInvitation.id, invitationId), eq(staffInvitation.tenant, manager.tenant), isOpen);

/** Null when no longer open. Whoever sees the link may use it, and counts as the inviter. */
export async function newLinkOf(
  store: Db,
  which: { tenant: string; invitationId: string; shownTo: string | null },
): Promise<Invitation | null> {
  const token = randomBytes(32).toString("base64url");
  const [invited] = await store
    .update(staffInvitation)
    .set({ tokenHash: hashOfToken(token), ...(which.shownTo !== null && { invitedBy: which.shownTo }), ...validity() })
    .where(and(eq(staffInvitation.id, which.invitationId), eq(staffInvitation.tenant, which.tenant), isOpen))
    .returning(INVITED);
  return invited === undefined ? null : { ...invited, token };
}

export function renewInvitation(store: Db, manager: Manager, invitationId: string): Promise<Invitation> {
  return asManager(store, manager, async (tx) => {
    const token = randomBytes(32).toString("base64url");
    const [invited] = await tx
      .update(staffInvitation)
      .set({ tokenHash: hashOfToken(token), invitedBy: manager.id, ...validity() })
      .where(mine(manager, invitationId))
      .returning(INVITED);
    if (invited === undefined) throw new AppError("not-found", { code: "invitation-settled" });
    await announce(tx, manager, { ...invited, step: "renewed" });
    return { ...invited, token };
  });
}

export function revokeInvitation(store: Db, manager: Manager, invitationId: string): Promise<void> {
  return asManager(store, manager, async (tx) => {
    const [invited] = await tx
      .update(staffInvitation)
      .set({ revokedAt: sql`clock_timestamp()` })
      .where(mine(manager, invitationId))
      .returning(INVITED);
    if (invited === undefined) throw new AppError("not-found", { code: "invitation-settled" });
    await announce(tx, manager, { ...invited, step: "revoked" });
  });
}
