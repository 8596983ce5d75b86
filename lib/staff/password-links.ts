import { and, eq, gt, max, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import { isEnrolled } from "@/lib/auth/factor";
import { closePasswordLinks, makePasswordLink, type MadeLink } from "@/lib/auth/password-link";
import { holdsGraveRole } from "@/lib/auth/requirement";
import { staffSession } from "@/lib/auth/schema";
import { BankError } from "@/lib/bank/error";
import { publish } from "@/lib/live/publish";
import { auditEvent, staff } from "@/lib/store/schema";
import type { Db, Tx } from "@/lib/store/store";
import { COMMAND, type Manager, tenantsBeyond, withMember } from "./roster";
import type { StaffDenial } from "./rules";

type Told = { manager: Manager; staffId: string };

/** What somebody proves themselves by, as the record calls its being given anew by an admin. */
type Proof = "staff.password-link" | "staff.reset-mfa";

/**
 * Whether this manager took that proof of the person in hand since they last signed in with both. Whoever replaces one
 * of the two must leave the other to somebody else: with both in hand they could come in as that person.
 */
export async function hasTakenProof(store: Db | Tx, { manager, staffId }: Told, proof: Proof): Promise<boolean> {
  if (manager.id === COMMAND) return false;
  const { tenant, object, actor, code, outcome, at, detail } = auditEvent;
  const lastWithBoth = store
    .select({ at: max(staffSession.createdAt) })
    .from(staffSession)
    .where(and(eq(staffSession.staffId, staffId), eq(staffSession.secondFactor, true)));
  const isTheirs = and(eq(tenant, manager.tenant), eq(object, `staff:${staffId}`), eq(actor, manager.id));
  // A link that went by mail alone was in nobody else's hands.
  const wasInHand = sql`coalesce(${detail}->>'isShown', 'true') = 'true'`;
  const isSince = gt(at, sql`coalesce((${lastWithBoth}), '-infinity'::timestamptz)`);
  const taken = await store
    .select({ seq: auditEvent.seq })
    .from(auditEvent)
    .where(and(isTheirs, eq(code, proof), eq(outcome, "DONE"), wasInHand, isSince))
    .limit(1);
  return taken.length > 0;
}

/** Somebody who must have a second factor, or had one until this manager took it away, would be let in by the link alone. */
async function wouldSuffice(store: Db | Tx, told: Told): Promise<boolean> {
  if (told.manager.id === COMMAND || (await isEnrolled(store, told.staffId))) return false;
  return (await holdsGraveRole(store, told.staffId)) || hasTakenProof(store, told, "staff.reset-mfa");
}

/**
 * Why the manager may issue no link for a person of their tenant's; null when they may. `isShown`: they will see it
 * themselves, since no mail server is there to take it to its person alone.
 */
export async function linkDenialOf(store: Db | Tx, told: Told, isShown: boolean): Promise<StaffDenial | null> {
  const [person] = await store.select().from(staff).where(eq(staff.id, told.staffId));
  if (typeof person?.passwordHash !== "string") return "no-password";
  if ((await tenantsBeyond(store, told.manager, told.staffId)).length > 0) return "works-elsewhere";
  return isShown && (await wouldSuffice(store, told)) ? "link-alone" : null;
}

export type IssuedLink = MadeLink & { staffId: string; name: string; email: string };

/**
 * Makes a link by which a person sets a new password, good once for an hour, in the place of all before it. Throws
 * `BankError`: forbidden with a `StaffDenial`, conflict `person-disabled`.
 */
export function issuePasswordLink(store: Db, told: Told, isShown: boolean): Promise<IssuedLink> {
  const { manager, staffId } = told;
  return withMember(store, told, async (tx, member) => {
    if (!member.isActive) throw new BankError("conflict", { code: "person-disabled" });
    const denial = await linkDenialOf(tx, told, isShown);
    if (denial !== null) throw new BankError("forbidden", { code: denial });
    const [person] = await tx.select({ name: staff.name, email: staff.email }).from(staff).where(eq(staff.id, staffId));
    if (person === undefined) throw new BankError("not-found", { code: "no-such-person" });
    await closePasswordLinks(tx, staffId);
    const made = await makePasswordLink(tx, { staffId, tenant: manager.tenant, issuedBy: manager.id });
    await publish(tx, { tenant: manager.tenant, topic: "staff", object: staffId });
    const entry = { tenant: manager.tenant, actor: manager.id, object: `staff:${staffId}`, detail: { isShown } };
    await record(tx, { ...entry, code: "staff.password-link", outcome: "DONE" });
    return { ...made, staffId, ...person };
  });
}
