import { and, eq, isNull } from "drizzle-orm";
import { z } from "zod";
import { holdHeads } from "@/lib/audit/record";
import { isStorable } from "@/lib/contract/shared";
import { db, type Tx } from "@/lib/store/store";
import { confirmEnrolment, isEnrolled } from "./factor";
import type { Device } from "./device";
import { PasskeyAnswer } from "./passkeys";
import { endSessionsOf, openSessionFor, renewSession, type Session } from "./sessions";
import { type Entrant, type PasswordAttempt, provePassword } from "./sign-in";
import { beginSecondStep, finishSecondStep, type SecondStep } from "./sign-in-step";
import { staffSession } from "./schema";

const Typed = z.string().max(64).refine(isStorable);

/** What the browser sends on its way in: a password, then perhaps a code or what a passkey answered; or the first code of a new app. */
export const EntryForm = z.union([
  z.object({ email: z.string().max(320).refine(isStorable), password: z.string().max(1_000) }),
  z.object({ code: Typed }),
  PasskeyAnswer,
  z.object({ enrolment: Typed }),
]);

export type Opened = { staffId: string; sessionId: string };

/**
 * A session; or the id of the step that is left, for who has a second factor; or how long to wait before the next try; or
 * null when the password is wrong.
 */
export async function enterByPassword(
  attempt: PasswordAttempt,
): Promise<Opened | { step: string } | { waitMs: number } | null> {
  const entrant = await provePassword(attempt);
  if (entrant === null || "waitMs" in entrant) return entrant;
  const { staffId } = entrant;
  const store = await db();
  if (await isEnrolled(store, staffId)) return { step: await beginSecondStep(store, staffId, "password") };
  const opening = { ...entrant, how: "password", secondFactor: false, device: attempt.device } as const;
  return { staffId, sessionId: await store.transaction((tx) => openSessionFor(tx, opening)) };
}

export const enterByFactor = (
  step: string | null,
  given: string | PasskeyAnswer,
  device?: Device,
): Promise<SecondStep> => (step === null ? Promise.resolve("expired") : finishSecondStep(step, given, device));

/** The enrolment is on record before the sessions that it ends, wherever they are. */
async function holdHeadsOf(tx: Tx, { staffId, tenant }: Entrant): Promise<void> {
  const isOpen = and(eq(staffSession.staffId, staffId), isNull(staffSession.endedAt));
  const open = await tx.select({ tenant: staffSession.tenant }).from(staffSession).where(isOpen);
  await holdHeads(tx, [tenant, ...open.map((session) => session.tenant)]);
}

/**
 * Makes the app whose first code this is the person's second factor: their session goes on under a new id, all others
 * end. "wrong" when it is no code of the secret shown last, "expired" when the session has ended meanwhile.
 */
export async function enterByEnrolment(session: Session | null, typed: string): Promise<Opened | "wrong" | "expired"> {
  if (session === null) return "expired";
  const { staffId, tenant, idHash, mustEnrol } = session;
  return (await db()).transaction(async (tx) => {
    // A session that the password alone opened sets the first app up, and puts none in the place of one that is there.
    if (mustEnrol && (await isEnrolled(tx, staffId))) return "expired";
    await holdHeadsOf(tx, { staffId, tenant });
    if (!(await confirmEnrolment(tx, { staffId, tenant }, typed))) return "wrong";
    await endSessionsOf(tx, staffId, { reason: "factor-changed", by: staffId, at: [tenant], except: idHash });
    const sessionId = await renewSession(tx, idHash, { secondFactor: true });
    return sessionId === null ? "expired" : { staffId, sessionId };
  });
}
