import { eq } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import { AppError } from "@/lib/errors/app-error";
import { isEnrolled, makeRecoveryCodes, clearFactor, startEnrolment } from "@/lib/auth/factor";
import { faultOf, hashPassword, verifyPassword } from "@/lib/auth/password";
import { addPasskey, askForNewPasskey, type NewPasskey, removePasskey } from "@/lib/auth/passkeys";
import { closePasswordLinks } from "@/lib/auth/sign-in";
import { endSessionsOf, mustHaveSecondFactor, type Session } from "@/lib/auth/sessions";
import { forgiveProofTry, takeProofTry } from "@/lib/auth/sign-in-try";
import type { PasswordChangeResult, Enrolment, PasswordChange } from "@/lib/auth/view";
import { staffSession } from "@/lib/db/tables/auth";
import { staff } from "@/lib/db/tables/staff";
import { type Db, db, type Tx } from "@/lib/db/connection";

export async function beginEnrolment({ staffId, email }: Session): Promise<Enrolment> {
  return startEnrolment(await db(), staffId, email);
}

export async function renewCodes({ staffId, tenant }: Session): Promise<string[]> {
  return (await db()).transaction(async (tx) => {
    if (!(await isEnrolled(tx, staffId))) throw new AppError("conflict");
    return makeRecoveryCodes(tx, { staffId, tenant });
  });
}

/** A passkey requires an app, whose recovery codes help when both are lost. */
async function requireApp(store: Db | Tx, { staffId }: Session): Promise<void> {
  if (!(await isEnrolled(store, staffId))) throw new AppError("conflict", { code: "app-first" });
}

export async function beginPasskey(session: Session) {
  const store = await db();
  await requireApp(store, session);
  return askForNewPasskey(store, session);
}

/** Ends the other sessions. */
export async function registerPasskey(session: Session, given: NewPasskey): Promise<"done" | "refused"> {
  const { staffId, tenant, idHash } = session;
  return (await db()).transaction(async (tx) => {
    await requireApp(tx, session);
    const isAdded = await addPasskey(tx, session, given);
    const entry = { tenant, actor: staffId, code: "passkey.add", outcome: isAdded ? "DONE" : "REFUSED" } as const;
    if (isAdded) {
      await endSessionsOf(tx, staffId, { reason: "factor-changed", by: staffId, at: [tenant], except: idHash });
    }
    await record(tx, entry);
    return isAdded ? "done" : "refused";
  });
}

export async function dropPasskey({ staffId, tenant, idHash }: Session, id: string): Promise<boolean> {
  return (await db()).transaction(async (tx) => {
    if (!(await removePasskey(tx, staffId, id))) return false;
    await endSessionsOf(tx, staffId, { reason: "factor-changed", by: staffId, at: [tenant], except: idHash });
    await record(tx, { tenant, actor: staffId, code: "passkey.remove", outcome: "DONE" });
    return true;
  });
}

/** Only when no role requires one; ends the other sessions. */
export async function dropFactor({ staffId, tenant, idHash }: Session): Promise<"done" | "required"> {
  return (await db()).transaction(async (tx) => {
    const entry = { tenant, actor: staffId, code: "totp.disable" } as const;
    if (await mustHaveSecondFactor(tx, staffId)) {
      await record(tx, { ...entry, outcome: "REFUSED" });
      return "required";
    }
    const { hadFactor } = await clearFactor(tx, staffId);
    if (!hadFactor) return "done";
    await tx.update(staffSession).set({ secondFactor: false }).where(eq(staffSession.idHash, idHash));
    await endSessionsOf(tx, staffId, { reason: "factor-changed", by: staffId, at: [tenant], except: idHash });
    await record(tx, { ...entry, outcome: "DONE" });
    return "done";
  });
}

/** Ends the other sessions; the password counts as no proof. */
export async function changeOwnPassword(
  session: Session,
  { current, next }: PasswordChange,
): Promise<PasswordChangeResult> {
  const { staffId, tenant, idHash, ref } = session;
  const store = await db();
  const [person] = await store.select().from(staff).where(eq(staff.id, staffId));
  if (typeof person?.passwordHash !== "string") return "none";
  const fault = faultOf(next, person);
  if (fault !== null) return fault;
  const waitMs = await takeProofTry(store, ref);
  if (waitMs > 0) return { waitMs };
  const entry = { tenant, actor: staffId, code: "password.change" } as const;
  if (!(await verifyPassword(person.passwordHash, current))) {
    await record(store, { ...entry, outcome: "REFUSED" });
    return "wrong";
  }
  if (await verifyPassword(person.passwordHash, next)) return "same";
  // Hashing is slow, so it runs outside any transaction.
  const passwordHash = await hashPassword(next);
  await store.transaction(async (tx) => {
    await forgiveProofTry(tx, ref);
    await tx.update(staff).set({ passwordHash }).where(eq(staff.id, staffId));
    await closePasswordLinks(tx, staffId);
    await endSessionsOf(tx, staffId, { reason: "password-changed", by: staffId, at: [tenant], except: idHash });
    await record(tx, { ...entry, outcome: "DONE" });
  });
  return "done";
}
