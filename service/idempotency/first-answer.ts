import { createHash } from "node:crypto";
import { lte, sql } from "drizzle-orm";
import { stringifyJson } from "@/lib/contract/json";
import { invalid } from "@/service/error";
import { statement, type Tx } from "@/service/store/transaction";
import { idempotencyRecord } from "./schema";

const KEY_AT_MOST = 255;

/** A request that asks to be carried out once. */
export type Claim = { clientId: string; key: string; fingerprint: string };

type Asked = { operation: string; clientId: string; key: string | undefined; body: unknown };

/** The same value with the fields of its objects in one order, for whoever writes JSON may order them at will. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  // A number kept losslessly is an object of a class.
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, inner]) => [name, sorted(inner)]));
}

/** What an Idempotency-Key stands for; null without one. 400 for a key that cannot be kept. */
export function claimOf({ operation, clientId, key, body }: Asked): Claim | null {
  if (key === undefined || key === "") return null;
  if (key.length > KEY_AT_MOST) throw invalid("Idempotency-Key", `must have at most ${KEY_AT_MOST} characters`);
  const fingerprint = createHash("sha256")
    .update(`${operation}\n${stringifyJson(sorted(body))}`)
    .digest("base64url");
  return { clientId, key, fingerprint };
}

/** An answer as it went out: its HTTP status and its body's text. */
export type FirstAnswer = { status: number; text: string };

/** Answers are given again for 24 hours (our assumption). */
const KEPT_FOR_MS = 24 * 3_600_000;

const expiry = (nowMs: number) => new Date(nowMs - KEPT_FOR_MS);

/** The answers already given under these claims' keys, by `placeOf` each key. */
export type GivenAnswers = ReadonlyMap<string, FirstAnswer & { fingerprint: string }>;

/** Where an answer is kept: by tenant and key. */
export const placeOf = ({ clientId, key }: Pick<Claim, "clientId" | "key">): string => `${clientId}\n${key}`;

// A row for each by the primary key: joined freely, a server that knows the table as small would read all of it.
const findAnswers = statement(
  "given_answers",
  {
    clientId: idempotencyRecord.clientId,
    key: idempotencyRecord.key,
    fingerprint: idempotencyRecord.fingerprint,
    status: idempotencyRecord.status,
    text: idempotencyRecord.body,
    createdAt: idempotencyRecord.createdAt,
  },
  sql`select given.client_id, given.key, given.fingerprint, given.status, given.body, given.created_at
    from jsonb_to_recordset(${sql.placeholder("asked")}::jsonb) as asked ("clientId" text, key text)
    cross join lateral (
      select * from idempotency_record record
      where record.client_id = asked."clientId" and record.key = asked.key limit 1) as given`,
);

export async function givenAnswers(tx: Tx, claims: readonly Claim[], nowMs: number): Promise<GivenAnswers> {
  if (claims.length === 0) return new Map();
  const rows = await findAnswers(tx, { asked: JSON.stringify(claims) });
  return new Map(rows.filter((row) => row.createdAt > expiry(nowMs)).map((row) => [placeOf(row), row]));
}

/**
 * What a statement says to keep answers with, by the values of `keptValues`: in `answer` a row for each that was kept, and
 * none for one whose key has an answer already.
 */
export const keeping = sql`answer as (
  insert into idempotency_record (client_id, key, fingerprint, status, body, created_at)
  select "clientId", key, fingerprint, status, body, ${sql.placeholder("createdAt")}::timestamptz
  from jsonb_to_recordset(${sql.placeholder("answers")}::jsonb)
    as answer ("clientId" text, key text, fingerprint text, status integer, body text)
  on conflict (client_id, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
    body = excluded.body, created_at = excluded.created_at
  where idempotency_record.created_at <= ${sql.placeholder("expiry")}::timestamptz
  returning 1)`;

/** Fails by a division unless every answer was kept, and so is the first one. */
export const areFirst = sql`1 / ((select count(*) from answer) = ${sql.placeholder("answerCount")}::bigint)::integer`;

const addAnswers = statement("keep_answers", {}, sql`with ${keeping} select ${areFirst}`);

/** An answer and what asked for it. */
type Kept = FirstAnswer & { claim: Claim };

/** The values of `keeping`'s placeholders. */
export const keptValues = (answers: readonly Kept[], nowMs: number) => ({
  answers: JSON.stringify(answers.map(({ claim, status, text }) => ({ ...claim, status, body: text }))),
  createdAt: new Date(nowMs).toISOString(),
  expiry: expiry(nowMs).toISOString(),
  answerCount: answers.length,
});

/**
 * Keeps the first answers under their claims' keys, in the transaction that carries the requests out. Throws when one was
 * given meanwhile, so that nothing is carried out twice.
 */
export async function keepAnswers(tx: Tx, answers: readonly Kept[], nowMs: number): Promise<void> {
  if (answers.length > 0) await addAnswers(tx, keptValues(answers, nowMs));
}

/** Removes what is no longer given again. */
export async function forgetOldAnswers(tx: Tx, nowMs: number): Promise<void> {
  await tx.delete(idempotencyRecord).where(lte(idempotencyRecord.createdAt, expiry(nowMs)));
}
