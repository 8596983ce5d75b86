import { eq, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import { holdRoster, revokeInvitationsBy } from "@/lib/auth/roster";
import { closePasswordLinks } from "@/lib/auth/password-link";
import { staffIdentity, staffMembership } from "@/lib/auth/schema";
import { endSessionsOf } from "@/lib/auth/sessions";
import { BankError } from "@/lib/bank/error";
import { publish } from "@/lib/live/publish";
import { staff } from "@/lib/store/schema";
import type { Db, Tx } from "@/lib/store/store";
import { COMMAND, requireAnotherAdmin } from "./roster";

/** Always in the same order: two that hold several rosters must not wait for each other. */
async function tenantsOf(tx: Tx, staffId: string): Promise<string[]> {
  const held = await tx.select().from(staffMembership).where(eq(staffMembership.staffId, staffId));
  return held.map(({ tenant }) => tenant).toSorted();
}

type Told = { staffId: string; tenants: string[]; code: "staff.disable" | "staff.enable"; after: string };

async function tell(tx: Tx, { staffId, tenants, code, after }: Told): Promise<void> {
  for (const tenant of tenants) await publish(tx, { tenant, topic: "staff", object: staffId });
  for (const tenant of tenants) {
    const entry = { tenant, actor: COMMAND, object: `staff:${staffId}`, detail: { after, everywhere: true } };
    await record(tx, { ...entry, code, outcome: "DONE" });
  }
}

/**
 * Closes an account at every tenant there is and will be: by command alone, for no admin manages them all. Throws
 * `BankError` for the last admin of any of them.
 */
export function closeAccount(store: Db, staffId: string): Promise<void> {
  return store.transaction(async (tx) => {
    const tenants = await tenantsOf(tx, staffId);
    for (const tenant of tenants) requireAnotherAdmin(await holdRoster(tx, tenant), staffId);
    await tx
      .update(staff)
      .set({ disabledAt: sql`clock_timestamp()` })
      .where(eq(staff.id, staffId));
    await revokeInvitationsBy(tx, { staffId, at: null });
    await endSessionsOf(tx, staffId, { reason: "disabled", by: COMMAND, at: tenants });
    await tell(tx, { staffId, tenants, code: "staff.disable", after: "disabled" });
  });
}

/** Opens an account again, at every tenant where it was disabled, however it was. */
export function openAccount(store: Db, staffId: string): Promise<void> {
  return store.transaction(async (tx) => {
    const tenants = await tenantsOf(tx, staffId);
    await tx.update(staff).set({ disabledAt: null }).where(eq(staff.id, staffId));
    await tx.update(staffMembership).set({ disabledAt: null }).where(eq(staffMembership.staffId, staffId));
    await tell(tx, { staffId, tenants, code: "staff.enable", after: "active" });
  });
}

/**
 * Lets an account keep this password beside the company's sign-in, in the place of any other, or (null) takes that away: who comes
 * in by the company has no password then. By command alone, on record at every tenant of theirs.
 */
export function setBreakGlass(store: Db, staffId: string, passwordHash: string | null): Promise<void> {
  return store.transaction(async (tx) => {
    const tenants = await tenantsOf(tx, staffId);
    const [person] = await tx.select().from(staff).where(eq(staff.id, staffId)).for("update");
    if (person === undefined) throw new BankError("not-found", { code: "no-such-person" });
    const linked = await tx.select().from(staffIdentity).where(eq(staffIdentity.staffId, staffId)).limit(1);
    const isBreakGlass = passwordHash !== null;
    // Who has nothing but the password goes on with it.
    const kept = passwordHash ?? (linked.length === 0 ? person.passwordHash : null);
    await tx.update(staff).set({ isBreakGlass, passwordHash: kept }).where(eq(staff.id, staffId));
    await closePasswordLinks(tx, staffId);
    const sessionsEnded = await endSessionsOf(tx, staffId, { reason: "password-changed", by: COMMAND, at: tenants });
    for (const tenant of tenants) await publish(tx, { tenant, topic: "staff", object: staffId });
    const detail = { before: person.isBreakGlass, after: isBreakGlass, sessionsEnded };
    const told = {
      actor: COMMAND,
      code: "staff.break-glass",
      outcome: "DONE",
      object: `staff:${staffId}`,
      detail,
    } as const;
    for (const tenant of tenants) await record(tx, { tenant, ...told });
  });
}
