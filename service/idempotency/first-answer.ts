import { and, eq, lte, sql } from "drizzle-orm";
import type { Tx } from "@/service/store/db";
import type { Claim } from "./claim";
import { idempotencyRecord } from "./schema";

/** An answer as it went out: its HTTP status and its body's text. */
export type FirstAnswer = { status: number; text: string };

/** Answers are given again for 24 hours (our assumption). */
const KEPT_FOR_MS = 24 * 3_600_000;

const expiry = (nowMs: number) => new Date(nowMs - KEPT_FOR_MS);

/** The answers already given under these claims' keys, by `placeOf` each key. */
export type GivenAnswers = ReadonlyMap<string, FirstAnswer & { fingerprint: string }>;

/** Where an answer is kept: by tenant and key. */
export const placeOf = ({ clientId, key }: Pick<Claim, "clientId" | "key">): string => `${clientId}\n${key}`;

export async function givenAnswers(tx: Tx, claims: readonly Claim[], nowMs: number): Promise<GivenAnswers> {
  if (claims.length === 0) return new Map();
  const { clientId, key, fingerprint, status, body, createdAt } = idempotencyRecord;
  const asked = sql`jsonb_to_recordset(${sql.placeholder("asked")}::jsonb) as asked ("clientId" text, key text)`;
  // A row for each by the primary key: joined freely, a server that knows the table as small would read all of it.
  const given = tx
    .select({ clientId, key, fingerprint, status, text: sql<string>`${body}`.as("text"), createdAt })
    .from(idempotencyRecord)
    .where(and(eq(clientId, sql`asked."clientId"`), eq(key, sql`asked.key`)))
    .limit(1)
    .as("given");
  const rows = await tx
    .select({
      clientId: given.clientId,
      key: given.key,
      fingerprint: given.fingerprint,
      status: given.status,
      text: given.text,
      createdAt: given.createdAt,
    })
    .from(asked)
    .innerJoinLateral(given, sql`true`)
    .prepare("given_answers")
    .execute({ asked: JSON.stringify(claims) });
  return new Map(rows.filter((row) => row.createdAt > expiry(nowMs)).map((row) => [placeOf(row), row]));
}

/** Keeps the first answers under their claims' keys, in the transaction that carries the requests out. */
export async function keepAnswers(
  tx: Tx,
  answers: readonly (FirstAnswer & { claim: Claim })[],
  nowMs: number,
): Promise<void> {
  if (answers.length === 0) return;
  const createdAt = new Date(nowMs);
  await tx
    .insert(idempotencyRecord)
    .values(answers.map(({ claim, status, text }) => ({ ...claim, status, body: text, createdAt })))
    .onConflictDoUpdate({
      target: [idempotencyRecord.clientId, idempotencyRecord.key],
      set: {
        fingerprint: sql`excluded.fingerprint`,
        status: sql`excluded.status`,
        body: sql`excluded.body`,
        createdAt: sql`excluded.created_at`,
      },
      setWhere: lte(idempotencyRecord.createdAt, expiry(nowMs)),
    });
}

/** Removes what is no longer given again. */
export async function forgetOldAnswers(tx: Tx, nowMs: number): Promise<void> {
  await tx.delete(idempotencyRecord).where(lte(idempotencyRecord.createdAt, expiry(nowMs)));
}
