import { randomUUID } from "node:crypto";
import { and, eq, gt, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import { hashPassword } from "@/lib/auth/password";
import { readRoster } from "@/lib/auth/roster";
import { staffInvitation, staffMembership } from "@/lib/db/tables/auth";
import type { Session } from "@/lib/auth/sessions";
import { AppError } from "@/lib/errors/app-error";
import { tenantOf } from "@/lib/settings/env";
import { publish } from "@/lib/db/publish";
import { staff } from "@/lib/db/tables/staff";
import type { Db, Tx } from "@/lib/db/connection";
import { hashOfToken, isOpen, sameEmail } from "./invitations";
import { rolesInOrder } from "./people";
import { mayManage } from "./roster";
import type { Welcome } from "./inputs";

type Open = typeof staffInvitation.$inferSelect;

/** The same for every bad link: unknown, used, replaced, revoked, expired. */
const noGood = () => new AppError("not-found", { code: "invitation-gone" });

/** `forUpdate`: a second concurrent use finds it used. */
async function findOpen(store: Db | Tx, token: string, forUpdate = false): Promise<Open> {
  const wanted = store
    .select()
    .from(staffInvitation)
    .where(
      and(
        eq(staffInvitation.tokenHash, hashOfToken(token)),
        isOpen,
        gt(staffInvitation.expiresAt, sql`clock_timestamp()`),
      ),
    );
  const [found] = await (forUpdate ? wanted.for("update") : wanted);
  if (found === undefined || tenantOf(found.tenant) === undefined) throw noGood();
  if (!mayManage(await readRoster(store, found.tenant), found.invitedBy)) throw noGood();
  return found;
}

async function findAccount(store: Db | Tx, email: string) {
  const [account] = await store.select({ id: staff.id }).from(staff).where(sameEmail(staff.email, email));
  return account;
}

export async function readInvitation(store: Db, token: string, session: Session | null): Promise<Welcome> {
  const { tenant, name, email, roles, expiresAt } = await findOpen(store, token);
  const account = await findAccount(store, email);
  const isSelf = account !== undefined && session?.staffId === account.id;
  return {
    tenant: tenantOf(tenant)?.name ?? tenant,
    name,
    email,
    roles,
    expiresAt: expiresAt.toISOString(),
    next: account === undefined ? "choose-password" : isSelf ? "join" : "sign-in",
    isOtherPerson: session !== null && !isSelf,
  };
}

async function join(tx: Tx, invited: Open, staffId: string): Promise<void> {
  const { id, tenant, roles } = invited;
  const isNew = (await tx.select().from(staffMembership).where(eq(staffMembership.staffId, staffId))).length === 0;
  const joined = await tx
    .insert(staffMembership)
    .values({ staffId, tenant, roles })
    .onConflictDoNothing()
    .returning({ staffId: staffMembership.staffId });
  if (joined.length === 0) throw new AppError("conflict", { code: "already-member" });
  await tx
    .update(staffInvitation)
    .set({ acceptedAt: sql`clock_timestamp()` })
    .where(eq(staffInvitation.id, id));
  await publish(tx, { tenant, topic: "staff", object: staffId });
  const detail = { invitation: id, invitedBy: invited.invitedBy, roles: rolesInOrder(roles), isNew };
  const object = `staff:${staffId}`;
  await record(tx, { tenant, actor: staffId, code: "staff.accept", outcome: "DONE", object, detail });
}

/** Returns the e-mail. Refused for an existing account, which the inviter could take over with the link. */
export async function acceptAsNew(
  store: Db,
  { token, name, password }: { token: string; name: string; password: string },
): Promise<string> {
  // Hashing is slow, so it runs outside any transaction, and not for a bad link.
  await findOpen(store, token);
  const passwordHash = await hashPassword(password);
  return store.transaction(async (tx) => {
    const invited = await findOpen(tx, token, true);
    const isKnown = (await findAccount(tx, invited.email)) !== undefined;
    const made = { id: randomUUID(), email: invited.email, name, passwordHash };
    const [account] = isKnown
      ? []
      : await tx.insert(staff).values(made).onConflictDoNothing().returning({ id: staff.id });
    if (account === undefined) throw new AppError("conflict", { code: "has-account" });
    await join(tx, invited, account.id);
    return invited.email;
  });
}

export function acceptAsSelf(store: Db, token: string, session: Session): Promise<void> {
  return store.transaction(async (tx) => {
    const invited = await findOpen(tx, token, true);
    const account = await findAccount(tx, invited.email);
    if (account?.id !== session.staffId) throw new AppError("forbidden", { code: "other-invitation" });
    await join(tx, invited, session.staffId);
  });
}
