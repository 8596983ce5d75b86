import { createHash, randomBytes } from "node:crypto";
import { base32crockford } from "@scure/base";
import { and, count, eq, isNull, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { Db, Tx } from "@/lib/store/store";
import { staffRecoveryCode } from "./schema";
import type { Entrant } from "./sign-in";

export const RECOVERY_CODES = 10;
const CODE_BYTES = 10;
/** The alphabet has neither I, L, O nor U, and reads the first three as the digits they look like. */
const CODE = /^[0-9A-HJKMNP-TV-Z]{16}$/;

/** As it was made, however it was typed; null for what cannot be one. */
function plainRecoveryCode(typed: string): string | null {
  const plain = typed.replaceAll(/[\s-]/g, "").toUpperCase().replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return CODE.test(plain) ? plain : null;
}

const hashOf = (staffId: string, plain: string) => createHash("sha256").update(`${staffId} ${plain}`).digest("hex");

/** Puts ten new codes in the place of whatever codes there were, and returns them: the only copy. */
export async function makeRecoveryCodes(tx: Tx, { staffId, tenant }: Entrant): Promise<string[]> {
  const plain = Array.from({ length: RECOVERY_CODES }, () => base32crockford.encode(randomBytes(CODE_BYTES)));
  await forgetRecoveryCodes(tx, staffId);
  await tx.insert(staffRecoveryCode).values(plain.map((code) => ({ staffId, codeHash: hashOf(staffId, code) })));
  const detail = { codes: RECOVERY_CODES };
  await record(tx, { tenant, actor: staffId, code: "recovery-codes.make", outcome: "DONE", detail });
  return plain.map((code) => code.replaceAll(/(.{4})(?=.)/g, "$1-").toLowerCase());
}

export async function forgetRecoveryCodes(tx: Tx, staffId: string): Promise<void> {
  await tx.delete(staffRecoveryCode).where(eq(staffRecoveryCode.staffId, staffId));
}

export async function countRecoveryCodes(store: Db | Tx, staffId: string): Promise<number> {
  const isLeft = and(eq(staffRecoveryCode.staffId, staffId), isNull(staffRecoveryCode.usedAt));
  const [row] = await store.select({ left: count() }).from(staffRecoveryCode).where(isLeft);
  return row?.left ?? 0;
}

/** Uses the code up; false when it is none of this person's, or was used before. */
export async function useRecoveryCode(tx: Tx, { staffId, tenant }: Entrant, typed: string): Promise<boolean> {
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
