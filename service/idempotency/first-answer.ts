import { createHash } from "node:crypto";
import { lte, sql } from "drizzle-orm";
import { stringifyJson } from "@/lib/contract/json";
import { invalid } from "@/service/error";
import { statement, type Tx } from "@/service/store/transaction";
import { idempotencyRecord } from "@/service/store/schema";

const KEY_AT_MOST = 255;

export type Claim = { clientId: string; key: string; fingerprint: string };

type Asked = { operation: string; clientId: string; key: string | undefined; body: unknown };

/** JSON fields come in any order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  // A lossless number is an object of a class.
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

export type GivenAnswers = ReadonlyMap<string, FirstAnswer & { fingerprint: string }>;

export const slotOf = ({ clientId, key }: Pick<Claim, "clientId" | "key">): string => `${clientId}\n${key}`;

// By primary key one by one: joined freely, PostgreSQL might scan the table.
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
  return new Map(rows.filter((row) => row.createdAt > expiry(nowMs)).map((row) => [slotOf(row), row]));
}

export const keeping = sql`answer as (
  insert into idempotency_record (client_id, key, fingerprint, status, body, created_at)
  select "clientId", key, fingerprint, status, body, ${sql.placeholder("createdAt")}::timestamptz
  from jsonb_to_recordset(${sql.placeholder("answers")}::jsonb)
    as answer ("clientId" text, key text, fingerprint text, status integer, body text)
  on conflict (client_id, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
    body = excluded.body, created_at = excluded.created_at
  where idempotency_record.created_at <= ${sql.placeholder("expiry")}::timestamptz
  returning 1)`;

/** Divides by zero unless every answer was stored first. */
export const areFirst = sql`1 / ((select count(*) from answer) = ${sql.placeholder("answerCount")}::bigint)::integer`;

const addAnswers = statement("keep_answers", {}, sql`with ${keeping} select ${areFirst}`);

type ClaimedAnswer = FirstAnswer & { claim: Claim };

export const storedValues = (answers: readonly ClaimedAnswer[], nowMs: number) => ({
  answers: JSON.stringify(answers.map(({ claim, status, text }) => ({ ...claim, status, body: text }))),
  createdAt: new Date(nowMs).toISOString(),
  expiry: expiry(nowMs).toISOString(),
  answerCount: answers.length,
});

/** In the transaction of the requests. Throws when one was given meanwhile, so that nothing is done twice. */
export async function saveAnswers(tx: Tx, answers: readonly ClaimedAnswer[], nowMs: number): Promise<void> {
  if (answers.length > 0) await addAnswers(tx, storedValues(answers, nowMs));
}

export async function forgetOldAnswers(tx: Tx, nowMs: number): Promise<void> {
  await tx.delete(idempotencyRecord).where(lte(idempotencyRecord.createdAt, expiry(nowMs)));
}
