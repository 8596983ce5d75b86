import { and, eq, isNotNull, lt, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { Enrolment } from "@/lib/enrolment";
import { storeNow, storeTimeBefore } from "@/lib/store/clock";
import { seal, unseal } from "@/lib/store/seal";
import type { Db, Tx } from "@/lib/store/store";
import { checkPasskey, forgetPasskeys, type PasskeyAnswer } from "./passkeys";
import { closePasswordLinks } from "./password-link";
import { countRecoveryCodes, forgetRecoveryCodes, useRecoveryCode } from "./recovery-codes";
import { revokeInvitationsBy } from "./roster";
import { staffTotp } from "./schema";
import type { Entrant } from "./sign-in";
import { type CodePlace, forgiveCodeTry, takeCodeTry } from "./sign-in-try";
import { enrolmentOf, newSecret, stepOfCode } from "./totp";

/** How long a shown secret waits for its first code. */
export const ENROLMENT_LASTS_MS = 15 * 60_000;

const storeTime = sql`clock_timestamp()`;

const candidateOf = (staffId: string) => ({ column: "staff_totp.candidate_sealed", row: [staffId] }) as const;
const secretOf = (staffId: string) => ({ column: "staff_totp.secret_sealed", row: [staffId] }) as const;

/** What a person's second factor is by now; `since` is null when there is none. */
export type Factor = { since: Date | null; recoveryCodesLeft: number };

export async function factorOf(store: Db | Tx, staffId: string): Promise<Factor> {
  const [row] = await store
    .select({ since: staffTotp.confirmedAt })
    .from(staffTotp)
    .where(and(eq(staffTotp.staffId, staffId), isNotNull(staffTotp.secretSealed)));
  return { since: row?.since ?? null, recoveryCodesLeft: await countRecoveryCodes(store, staffId) };
}

export async function isEnrolled(store: Db | Tx, staffId: string): Promise<boolean> {
  const held = and(eq(staffTotp.staffId, staffId), isNotNull(staffTotp.secretSealed));
  return (await store.select({ staffId: staffTotp.staffId }).from(staffTotp).where(held)).length > 0;
}

/** Makes a secret and keeps it, sealed, until a code confirms it. What it returns is the only time it is shown. */
export async function startEnrolment(store: Db | Tx, staffId: string, email: string): Promise<Enrolment> {
  const secret = newSecret();
  const candidate = { candidateSealed: seal(secret, candidateOf(staffId)), candidateAt: storeTime };
  await store
    .insert(staffTotp)
    .values({ staffId, ...candidate })
    .onConflictDoUpdate({ target: staffTotp.staffId, set: candidate });
  return enrolmentOf(secret, email);
}

/** Whether this is a code of the secret shown last: from then on, that app is the person's second factor. */
export async function confirmEnrolment(tx: Tx, { staffId, tenant }: Entrant, typed: string): Promise<boolean> {
  const { candidateSealed, candidateAt } = staffTotp;
  const isFresh = sql`${candidateAt} > ${storeTimeBefore(ENROLMENT_LASTS_MS)}`;
  const [row] = await tx
    .select({ sealed: candidateSealed })
    .from(staffTotp)
    .where(and(eq(staffTotp.staffId, staffId), isFresh))
    .for("update");
  const secret = row === undefined || row.sealed === null ? "" : unseal(row.sealed, candidateOf(staffId));
  const step = secret === "" ? null : stepOfCode(secret, typed, { at: await storeNow(tx), afterStep: 0 });
  if (step === null) {
    await record(tx, { tenant, actor: staffId, code: "totp.enrol", outcome: "REFUSED" });
    return false;
  }
  const secretSealed = seal(secret, secretOf(staffId));
  const used = { lastStep: step, candidateSealed: null, candidateAt: null };
  await tx
    .update(staffTotp)
    .set({ secretSealed, confirmedAt: storeTime, ...used })
    .where(eq(staffTotp.staffId, staffId));
  await forgetRecoveryCodes(tx, staffId);
  await record(tx, { tenant, actor: staffId, code: "totp.enrol", outcome: "DONE" });
  return true;
}

export type FactorOutcome = "totp" | "recovery-code" | "passkey" | "wrong" | { waitMs: number };

/** A code as it was typed, or what a passkey answered; by the hash of the session's or step's id, and where it was. */
export type GivenFactor = { given: string | PasskeyAnswer; idHash: string; place: CodePlace };

/**
 * Whether this is a code of the person's app that was not used before, one of their recovery codes, which it uses up, or the
 * answer of one of their passkeys; or how long to wait where there were too many (`takeCodeTry`). The try is counted before
 * it is looked at. On record when it is refused.
 */
export async function takeFactor(tx: Tx, entrant: Entrant, factor: GivenFactor): Promise<FactorOutcome> {
  const { staffId, tenant } = entrant;
  const { given, idHash, place } = factor;
  const waitMs = await takeCodeTry(tx, { staffId, place });
  const check = () =>
    typeof given === "string" ? checkCode(tx, entrant, given) : checkAnswer(tx, { staffId, idHash }, given);
  const outcome = waitMs > 0 ? { waitMs } : await check();
  if (outcome !== "wrong" && typeof outcome !== "object") {
    await forgiveCodeTry(tx, staffId, place);
    return outcome;
  }
  const why = outcome === "wrong" ? outcome : "too-many";
  const code = typeof given === "string" ? "totp.refused" : "passkey.refused";
  await record(tx, { tenant, actor: staffId, code, outcome: "REFUSED", detail: { why } });
  return outcome;
}

const checkAnswer = async (tx: Tx, asked: { staffId: string; idHash: string }, given: PasskeyAnswer) =>
  (await checkPasskey(tx, asked, given)) ? "passkey" : "wrong";

async function checkCode(tx: Tx, entrant: Entrant, typed: string): Promise<"totp" | "recovery-code" | "wrong"> {
  const { staffId } = entrant;
  const { secretSealed, lastStep } = staffTotp;
  const [held] = await tx.select({ secretSealed, lastStep }).from(staffTotp).where(eq(staffTotp.staffId, staffId));
  if (typeof held?.secretSealed !== "string") return "wrong";
  const secret = unseal(held.secretSealed, secretOf(staffId));
  const step = stepOfCode(secret, typed, { at: await storeNow(tx), afterStep: held.lastStep });
  if (step === null) return (await useRecoveryCode(tx, entrant, typed)) ? "recovery-code" : "wrong";
  const taken = await tx
    .update(staffTotp)
    .set({ lastStep: step })
    .where(and(eq(staffTotp.staffId, staffId), lt(lastStep, step)))
    .returning({ staffId: staffTotp.staffId });
  return taken.length > 0 ? "totp" : "wrong";
}

/**
 * Takes the second factor away, recovery codes, passkeys and all, and closes the links that would set a password: with no factor left
 * they would open the account alone. The invitations that the person issued are revoked: whoever held the account knows
 * their links. The caller ends the sessions and puts it on record.
 */
export async function resetFactor(
  tx: Tx,
  staffId: string,
): Promise<{ hadFactor: boolean; invitationsRevoked: number }> {
  await closePasswordLinks(tx, staffId);
  await forgetRecoveryCodes(tx, staffId);
  await forgetPasskeys(tx, staffId);
  const invitationsRevoked = await revokeInvitationsBy(tx, { staffId, at: null });
  const held = await tx.delete(staffTotp).where(eq(staffTotp.staffId, staffId)).returning({ id: staffTotp.staffId });
  return { hadFactor: held.length > 0, invitationsRevoked };
}
