import { createHash } from "node:crypto";
import { and, eq, gt, lte } from "drizzle-orm";
import { stringifyJson } from "@/lib/contract/json";
import { invalid } from "@/service/error";
import type { Tx } from "@/service/store/transaction";
import { idempotencyRecord } from "@/service/store/schema";

const KEY_AT_MOST = 255;

export type Claim = { clientId: string; key: string; fingerprint: string };

type Asked = { operation: string; clientId: string; key: string | undefined; body: unknown };

/** JSON fields may come in any order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  // A lossless number is a class instance.
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, inner]) => [name, sorted(inner)]));
}

/** Null without a key. 400 for one that cannot be stored. */
export function claimOf({ operation, clientId, key, body }: Asked): Claim | null {
  if (key === undefined || key === "") return null;
  if (key.length > KEY_AT_MOST) throw invalid("Idempotency-Key", `must have at most ${KEY_AT_MOST} characters`);
  const fingerprint = createHash("sha256")
    .update(`${operation}\n${stringifyJson(sorted(body))}`)
    .digest("base64url");
  return { clientId, key, fingerprint };
}

export type FirstAnswer = { status: number; text: string };

/** Our assumption: 24 hours. */
const RETAINED_FOR_MS = 24 * 3_600_000;

const expiry = (nowMs: number) => new Date(nowMs - RETAINED_FOR_MS);

export const slotOf = ({ clientId, key }: Pick<Claim, "clientId" | "key">): string => `${clientId}\n${key}`;

/** The answer under this key within the last 24 hours, to this request or to another. */
export async function findAnswer(
  tx: Tx,
  { clientId, key }: Claim,
  nowMs: number,
): Promise<(FirstAnswer & { fingerprint: string }) | undefined> {
  const { fingerprint, status, body: text, createdAt } = idempotencyRecord;
  const [found] = await tx
    .select({ fingerprint, status, text })
    .from(idempotencyRecord)
    .where(and(eq(idempotencyRecord.clientId, clientId), eq(idempotencyRecord.key, key), gt(createdAt, expiry(nowMs))));
  return found;
}

/** In the request's transaction. Throws when one was stored meanwhile, so that nothing runs twice. */
export async function saveAnswer(
  tx: Tx,
  { claim, status, text }: FirstAnswer & { claim: Claim },
  nowMs: number,
): Promise<void> {
  const row = { fingerprint: claim.fingerprint, status, body: text, createdAt: new Date(nowMs) };
  const [saved] = await tx
    .insert(idempotencyRecord)
    .values({ ...claim, ...row })
    .onConflictDoUpdate({
      target: [idempotencyRecord.clientId, idempotencyRecord.key],
      set: row,
      setWhere: lte(idempotencyRecord.createdAt, expiry(nowMs)),
    })
    .returning({ key: idempotencyRecord.key });
  if (saved === undefined) throw new Error("the Idempotency-Key was answered meanwhile");
}

export async function forgetOldAnswers(tx: Tx, nowMs: number): Promise<void> {
  await tx.delete(idempotencyRecord).where(lte(idempotencyRecord.createdAt, expiry(nowMs)));
}
