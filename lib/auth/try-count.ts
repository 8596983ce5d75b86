import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Tx } from "@/lib/store/store";
import { signInTry } from "./schema";

const FREE_TRIES = 5;
export const FORGOTTEN_AFTER_MS = 24 * 60 * 60_000;
/** Beyond that the wait is the longest anyway, and powers of two overflow. */
const MOST_DOUBLINGS = 16;

const Waits = z.object({ rows: z.array(z.object({ wait_ms: z.coerce.number() })) });

async function readWaitMs(store: Db | Tx, key: string, wait: SQL): Promise<number> {
  const asked = sql`select ${wait} as wait_ms from ${signInTry} where ${signInTry.key} = ${key}`;
  const [row] = Waits.parse(await store.execute(asked)).rows;
  return Math.max(1, Math.ceil(row?.wait_ms ?? 1));
}

/** How long the first try after five must wait, twice that the second, and how long one waits at most. */
export type Rhythm = { firstSeconds: number; longestSeconds: number; at: SQL };

/**
 * Counts a try against a key when one is due, in one statement: tries at the same moment each count. Returns 0, or the
 * milliseconds until one is due.
 */
export async function countTry(store: Db | Tx, key: string, rhythm: Rhythm): Promise<number> {
  const { firstSeconds, longestSeconds, at } = rhythm;
  const { tries, triedAt } = signInTry;
  const isForgotten = sql`${triedAt} < ${at} - ${FORGOTTEN_AFTER_MS} * interval '1 millisecond'`;
  const doubled = sql`${firstSeconds}::int * power(2, least(${tries} - ${FREE_TRIES}, ${MOST_DOUBLINGS}))`;
  const wait = sql`case when ${tries} < ${FREE_TRIES} then 0 else least(${doubled}, ${longestSeconds}::int) end`;
  const dueAt = sql`${triedAt} + ${wait} * interval '1 second'`;
  const counted = await store
    .insert(signInTry)
    .values({ key, tries: 1, triedAt: at })
    .onConflictDoUpdate({
      target: signInTry.key,
      set: { tries: sql`case when ${isForgotten} then 1 else ${tries} + 1 end`, triedAt: at },
      setWhere: sql`${isForgotten} or ${dueAt} <= ${at}`,
    })
    .returning({ key: signInTry.key });
  return counted.length > 0 ? 0 : readWaitMs(store, key, sql`extract(epoch from ${dueAt} - ${at}) * 1000`);
}

/** So many in a stretch of time that begins with the first; `always`: counted even when there were too many. */
export type Quota = { most: number; windowMs: number; always?: boolean; at: SQL };

/** Counts a try against a quota. Returns 0, or the milliseconds until the next stretch of time. */
export async function countWithin(store: Db | Tx, key: string, quota: Quota): Promise<number> {
  const { most, windowMs, always = false, at } = quota;
  const { tries, triedAt } = signInTry;
  const endsAt = sql`${triedAt} + ${windowMs} * interval '1 millisecond'`;
  const isOver = sql`${endsAt} <= ${at}`;
  const counted = await store
    .insert(signInTry)
    .values({ key, tries: 1, triedAt: at })
    .onConflictDoUpdate({
      target: signInTry.key,
      set: {
        tries: sql`case when ${isOver} then 1 else ${tries} + 1 end`,
        triedAt: sql`case when ${isOver} then ${at} else ${triedAt} end`,
      },
      setWhere: sql`${always} or ${isOver} or ${tries} < ${most}`,
    })
    .returning({ key: signInTry.key });
  return counted.length > 0 ? 0 : readWaitMs(store, key, sql`extract(epoch from ${endsAt} - ${at}) * 1000`);
}
