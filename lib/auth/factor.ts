import { createHash, randomBytes } from "node:crypto";
import { base32crockford } from "@scure/base";
import { and, count, eq, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { generateSecret, generateURI, verifySync } from "otplib";
import { record } from "@/lib/audit/record";
import { storeNow, storeTimeBefore } from "@/lib/db/clock";
import { staff } from "@/lib/db/tables/staff";
import { seal, unseal } from "@/lib/db/seal";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { drawQr } from "@/lib/text/qr";
import { checkPasskey, countPasskeys, forgetPasskeys, type PasskeyAnswer } from "./passkeys";
import { PASSWORD_MAX_LENGTH, verifyPassword } from "./password";
import { revokeInvitationsBy } from "./roster";
import { staffRecoveryCode, staffTotp } from "@/lib/db/tables/auth";
import { renewSession, type Session } from "./sessions";
import { closePasswordLinks, type Entrant } from "./sign-in";
import { type CodeOrigin, forgiveCodeTry, forgiveProofTry, takeCodeTry, takeProofTry } from "./sign-in-try";
import type { Enrolment, ProofWay } from "./view";

export const RECOVERY_CODES = 10;
const CODE_BYTES = 10;
/** Crockford base32: without I, L, O and U; the first three are read as digits. */
const CODE = /^[0-9A-HJKMNP-TV-Z]{16}$/;

function plainRecoveryCode(typed: string): string | null {
  const plain = typed.replaceAll(/[\s-]/g, "").toUpperCase().replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return CODE.test(plain) ? plain : null;
}

const hashOf = (staffId: string, plain: string) => createHash("sha256").update(`${staffId} ${plain}`).digest("hex");

/** Replaces all codes; the returned ones are the only copy. */
export async function makeRecoveryCodes(tx: Tx, { staffId, tenant }: Entrant): Promise<string[]> {
  const plain = Array.from({ length: RECOVERY_CODES }, () => base32crockford.encode(randomBytes(CODE_BYTES)));
  await forgetRecoveryCodes(tx, staffId);
  await tx.insert(staffRecoveryCode).values(plain.map((code) => ({ staffId, codeHash: hashOf(staffId, code) })));
  const detail = { codes: RECOVERY_CODES };
  await record(tx, { tenant, actor: staffId, code: "recovery-codes.make", outcome: "DONE", detail });
  return plain.map((code) => code.replaceAll(/(.{4})(?=.)/g, "$1-").toLowerCase());
}

async function forgetRecoveryCodes(tx: Tx, staffId: string): Promise<void> {
  await tx.delete(staffRecoveryCode).where(eq(staffRecoveryCode.staffId, staffId));
}

async function countRecoveryCodes(store: Db | Tx, staffId: string): Promise<number> {
  const isLeft = and(eq(staffRecoveryCode.staffId, staffId), isNull(staffRecoveryCode.usedAt));
  const [row] = await store.select({ left: count() }).from(staffRecoveryCode).where(isLeft);
  return row?.left ?? 0;
}

async function useRecoveryCode(tx: Tx, { staffId, tenant }: Entrant, typed: string): Promise<boolean> {
  const plain = plainRecoveryCode(typed);
  if (plain === null) return false;
  const { codeHash, usedAt } = staffRecoveryCode;
  const used = await tx
    .update(staffRecoveryCode)
    .set({ usedAt: sql`clock_timestamp()` })
    .where(and(eq(staffRecoveryCode.staffId, staffId), eq(codeHash, hashOf(staffId, plain)), isNull(usedAt)))
    .returning({ codeHash });
  if (used.length === 0) return false;
  const detail = { left: await countRecoveryCodes(tx, staffId) };
  await record(tx, { tenant, actor: staffId, code: "recovery-code.use", outcome: "DONE", detail });
  return true;
}

const STEP_SECONDS = 30;
const ISSUER = "Retaguarda";

/** 160 random bits in base32, as authenticator apps accept them. */
export const newSecret = (): string => generateSecret();

const plainCode = (typed: string): string => typed.replaceAll(/\s/g, "");

/** The code's time step (RFC 6238), within one step of the clock and after `afterStep`; null otherwise. */
export function stepOfCode(secret: string, typed: string, { at, afterStep }: { at: Date; afterStep: number }) {
  const token = plainCode(typed);
  if (!/^\d{6}$/.test(token)) return null;
  const epoch = Math.floor(at.getTime() / 1000);
  const checked = verifySync({ secret, token, epoch, epochTolerance: STEP_SECONDS });
  return checked.valid && "timeStep" in checked && checked.timeStep > afterStep ? checked.timeStep : null;
}

export function enrolmentOf(secret: string, email: string): Enrolment {
  const uri = generateURI({ issuer: ISSUER, label: email, secret });
  return { secret, ...drawQr(uri) };
}

const ENROLMENT_LASTS_MS = 15 * 60_000;

const storeTime = sql`clock_timestamp()`;

const candidateOf = (staffId: string) => ({ column: "staff_totp.candidate_sealed", row: [staffId] }) as const;
const secretOf = (staffId: string) => ({ column: "staff_totp.secret_sealed", row: [staffId] }) as const;

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

/** Stored sealed until a code confirms it; shown only here. */
export async function startEnrolment(store: Db | Tx, staffId: string, email: string): Promise<Enrolment> {
  const secret = newSecret();
  const candidate = { candidateSealed: seal(secret, candidateOf(staffId)), candidateAt: storeTime };
  await store
    .insert(staffTotp)
    .values({ staffId, ...candidate })
    .onConflictDoUpdate({ target: staffTotp.staffId, set: candidate });
  return enrolmentOf(secret, email);
}

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

type FactorResult = "totp" | "recovery-code" | "passkey" | "wrong" | { waitMs: number };

type GivenFactor = { given: string | PasskeyAnswer; idHash: string; origin: CodeOrigin };

/** Accepts an unused code of the app, a recovery code (used up) or a passkey. The try is counted before the check. */
export async function takeFactor(tx: Tx, entrant: Entrant, factor: GivenFactor): Promise<FactorResult> {
  const { staffId, tenant } = entrant;
  const { given, idHash, origin } = factor;
  const waitMs = await takeCodeTry(tx, { staffId, origin });
  const check = () =>
    typeof given === "string" ? checkCode(tx, entrant, given) : checkAnswer(tx, { staffId, idHash }, given);
  const outcome = waitMs > 0 ? { waitMs } : await check();
  if (outcome !== "wrong" && typeof outcome !== "object") {
    await forgiveCodeTry(tx, staffId, origin);
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

/** Also closes password links and the person's invitations, which would open the account alone. The caller ends the sessions. */
export async function clearFactor(
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

/** Null for single sign-on without a second factor here. */
async function proofWayOf(store: Db | Tx, staffId: string): Promise<ProofWay | null> {
  if (await isEnrolled(store, staffId)) return "totp";
  const [person] = await store.select({ passwordHash: staff.passwordHash }).from(staff).where(eq(staff.id, staffId));
  return typeof person?.passwordHash === "string" ? "password" : null;
}

export const readProofWay = async ({ staffId }: Session): Promise<ProofWay | null> => proofWayOf(await db(), staffId);

export const hasPasskey = async ({ staffId }: Session): Promise<boolean> =>
  (await countPasskeys(await db(), staffId)) > 0;

type Checked = "done" | "wrong" | { waitMs: number };

async function checkPassword(store: Db, { staffId, ref }: Session, typed: string): Promise<Checked> {
  const waitMs = await takeProofTry(store, ref);
  if (waitMs > 0) return { waitMs };
  const [person] = await store.select({ passwordHash: staff.passwordHash }).from(staff).where(eq(staff.id, staffId));
  const mayBe = typed.length <= PASSWORD_MAX_LENGTH ? (person?.passwordHash ?? null) : null;
  if (!(await verifyPassword(mayBe, typed.slice(0, PASSWORD_MAX_LENGTH)))) return "wrong";
  await forgiveProofTry(store, ref);
  return "done";
}

async function checkFactor(tx: Tx, session: Session, given: string | PasskeyAnswer): Promise<Checked> {
  const taken = await takeFactor(tx, session, { given, idHash: session.idHash, origin: { session: session.ref } });
  return taken === "wrong" || typeof taken === "object" ? taken : "done";
}

export type Proof = { sessionId: string } | "wrong" | "none" | { waitMs: number };

async function conclude(
  tx: Tx,
  session: Session,
  { way, checked }: { way: ProofWay | "passkey"; checked: Checked },
): Promise<Proof> {
  const entry = { tenant: session.tenant, actor: session.staffId, code: "session.step-up" } as const;
  const detail = { how: way, session: session.ref };
  const sessionId =
    checked === "done" ? await renewSession(tx, session.idHash, { secondFactor: way !== "password" }) : null;
  await record(tx, { ...entry, outcome: sessionId === null ? "REFUSED" : "DONE", detail });
  if (sessionId !== null) return { sessionId };
  // The session has ended meanwhile, as the next request will say.
  return checked === "done" ? "wrong" : checked;
}

/** Lasts five minutes; the session gets a new id. */
export async function stepUp(session: Session, given: string | PasskeyAnswer): Promise<Proof> {
  const store = await db();
  const way = await proofWayOf(store, session.staffId);
  if (way === null) return "none";
  if (way === "password") {
    if (typeof given !== "string") return "wrong";
    // Hashing is slow, so it runs outside any transaction.
    const checked = await checkPassword(store, session, given);
    if (typeof checked === "object") return checked;
    return store.transaction((tx) => conclude(tx, session, { way, checked }));
  }
  const how = typeof given === "string" ? way : "passkey";
  return store.transaction(async (tx) =>
    conclude(tx, session, { way: how, checked: await checkFactor(tx, session, given) }),
  );
}
