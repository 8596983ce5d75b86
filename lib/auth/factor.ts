import { and, eq, isNotNull, lt, lte, or, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { Enrolment } from "@/lib/enrolment";
import { storeNow, storeTimeBefore } from "@/lib/store/clock";
import { seal, unseal } from "@/lib/store/seal";
import type { Db, Tx } from "@/lib/store/store";
import { countRecoveryCodes, forgetRecoveryCodes, useRecoveryCode } from "./recovery-codes";
import { staffTotp } from "./schema";
import type { Entrant } from "./sign-in";
import { enrolmentOf, newSecret, stepOfCode } from "./totp";

/** How many wrong codes may follow one another before each further one must wait. */
export const FREE_TRIES = 5;
export const TRY_WAIT_MS = 5 * 60_000;
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
  const used = { lastStep: step, tries: 0, triedAt: null, candidateSealed: null, candidateAt: null };
  await tx
    .update(staffTotp)
    .set({ secretSealed, confirmedAt: storeTime, ...used })
    .where(eq(staffTotp.staffId, staffId));
  await forgetRecoveryCodes(tx, staffId);
  await record(tx, { tenant, actor: staffId, code: "totp.enrol", outcome: "DONE" });
  return true;
}

export type CodeOutcome = "totp" | "recovery-code" | "wrong" | "too-many";

/** Counts the try before the code is looked at, in one statement: tries at the same moment cannot share one count. */
async function countTry(tx: Tx, staffId: string) {
  const { tries, triedAt, secretSealed, lastStep } = staffTotp;
  const mayTry = or(lt(tries, FREE_TRIES), lte(triedAt, storeTimeBefore(TRY_WAIT_MS)));
  const [counted] = await tx
    .update(staffTotp)
    .set({ tries: sql`${tries} + 1`, triedAt: storeTime })
    .where(and(eq(staffTotp.staffId, staffId), isNotNull(secretSealed), mayTry))
    .returning({ sealed: secretSealed, lastStep });
  return counted;
}

/**
 * Whether this is a code of the person's app that was not used before, or one of their recovery codes, which it uses up.
 * After five wrong ones in a row, one may be tried every five minutes: 16 in the first hour. On record when it is refused.
 */
export async function takeCode(tx: Tx, entrant: Entrant, typed: string): Promise<CodeOutcome> {
  const { staffId, tenant } = entrant;
  const counted = await countTry(tx, staffId);
  const sealed = counted?.sealed ?? null;
  const outcome = sealed === null ? "too-many" : await checkCode(tx, entrant, { ...counted, sealed, typed });
  if (outcome === "wrong" || outcome === "too-many") {
    await record(tx, { tenant, actor: staffId, code: "totp.refused", outcome: "REFUSED", detail: { why: outcome } });
  }
  return outcome;
}

type Checked = { sealed: string; lastStep?: number; typed: string };

async function checkCode(tx: Tx, entrant: Entrant, { sealed, lastStep = 0, typed }: Checked): Promise<CodeOutcome> {
  const { staffId } = entrant;
  const used = { tries: 0, triedAt: null };
  const step = stepOfCode(unseal(sealed, secretOf(staffId)), typed, { at: await storeNow(tx), afterStep: lastStep });
  const isHis = and(eq(staffTotp.staffId, staffId), lt(staffTotp.lastStep, step ?? 0));
  if (step !== null) {
    const taken = await tx
      .update(staffTotp)
      .set({ ...used, lastStep: step })
      .where(isHis)
      .returning({ staffId: staffTotp.staffId });
    return taken.length > 0 ? "totp" : "wrong";
  }
  if (!(await useRecoveryCode(tx, entrant, typed))) return "wrong";
  await tx.update(staffTotp).set(used).where(eq(staffTotp.staffId, staffId));
  return "recovery-code";
}

/** Takes the second factor away, recovery codes and all: the caller ends the sessions and puts it on record. */
export async function resetFactor(tx: Tx, staffId: string): Promise<boolean> {
  await forgetRecoveryCodes(tx, staffId);
  const held = await tx.delete(staffTotp).where(eq(staffTotp.staffId, staffId)).returning({ id: staffTotp.staffId });
  return held.length > 0;
}
