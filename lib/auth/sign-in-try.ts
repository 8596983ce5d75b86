import { createHmac } from "node:crypto";
import { eq, lt, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { env } from "@/lib/env";
import { storeTimeBefore } from "@/lib/store/clock";
import type { Db, Tx } from "@/lib/store/store";
import { signInTry } from "./schema";

const FREE_TRIES = 5;
const LONGEST_WAIT_SECONDS = 15 * 60;
/** For somebody who comes from where they came from before: whoever guesses from elsewhere cannot keep them out. */
const LONGEST_KNOWN_WAIT_SECONDS = 60;
const FORGOTTEN_AFTER_MS = 24 * 60 * 60_000;
const TRIES_PER_ADDRESS = 50;
const ADDRESS_WINDOW_MS = 15 * 60_000;
/** Beyond that the wait is the longest anyway, and powers of two overflow. */
const MOST_DOUBLINGS = 16;

/** Whose password is tried from where; both as keyed hashes, so that the table tells nobody. */
export type Guess = {
  account: string;
  /** Null where it is not told. */
  address: string | null;
  /** The account's person has signed in from this address before. */
  isKnown: boolean;
};

/** What stands for an e-mail or an address: of no use without the console's secret. */
export const keyedHash = (kind: "account" | "address", text: string): string =>
  createHmac("sha256", env().authSecret).update(`${kind}:${text}`).digest("base64url");

const Waits = z.object({ rows: z.array(z.object({ wait_ms: z.coerce.number() })) });

async function readWaitMs(store: Db | Tx, key: string, wait: SQL): Promise<number> {
  const asked = sql`select ${wait} as wait_ms from ${signInTry} where ${signInTry.key} = ${key}`;
  const [row] = Waits.parse(await store.execute(asked)).rows;
  return Math.max(1, Math.ceil(row?.wait_ms ?? 1));
}

type Rhythm = { longestSeconds: number; at: SQL };

/** Counts a try against a key when one is due, in one statement: tries at the same moment each count. Returns 0, or how long to wait. */
async function countTry(store: Db | Tx, key: string, { longestSeconds, at }: Rhythm): Promise<number> {
  const { tries, triedAt } = signInTry;
  const isForgotten = sql`${triedAt} < ${at} - ${FORGOTTEN_AFTER_MS} * interval '1 millisecond'`;
  const doubled = sql`power(2, least(${tries} - ${FREE_TRIES}, ${MOST_DOUBLINGS}))`;
  const wait = sql`case when ${tries} < ${FREE_TRIES} then 0 else least(${doubled}, ${longestSeconds}) end`;
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

/** Counts a try from an address within its quarter of an hour; `always` even when there were too many. */
async function countAddress(store: Db | Tx, key: string, { always, at }: { always: boolean; at: SQL }) {
  const { tries, triedAt } = signInTry;
  const endsAt = sql`${triedAt} + ${ADDRESS_WINDOW_MS} * interval '1 millisecond'`;
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
      setWhere: sql`${always} or ${isOver} or ${tries} < ${TRIES_PER_ADDRESS}`,
    })
    .returning({ key: signInTry.key });
  return counted.length > 0 ? 0 : readWaitMs(store, key, sql`extract(epoch from ${endsAt} - ${at}) * 1000`);
}

const accountKey = ({ account, address, isKnown }: Guess) =>
  isKnown && address !== null ? `account:${account}@${address}` : `account:${account}`;
const addressKey = (address: string) => `address:${address}`;

const takeBack = (store: Db | Tx, key: string) =>
  store
    .update(signInTry)
    .set({ tries: sql`greatest(${signInTry.tries} - 1, 0)` })
    .where(eq(signInTry.key, key));

/**
 * Asks for one try and counts it as a failed one, before the password is looked at. Returns 0 when it may be tried now, else
 * the milliseconds until one may. After five failures an account is tried again after a second, doubling to 15 minutes,
 * or to one minute from an address its person is known at; an address gets 50 failures in 15 minutes.
 */
export async function takeTry(store: Db | Tx, guess: Guess, at: SQL = sql`clock_timestamp()`): Promise<number> {
  const { address, isKnown } = guess;
  if (address !== null) {
    const waitMs = await countAddress(store, addressKey(address), { always: isKnown, at });
    if (waitMs > 0) return waitMs;
  }
  const longestSeconds = isKnown ? LONGEST_KNOWN_WAIT_SECONDS : LONGEST_WAIT_SECONDS;
  const waitMs = await countTry(store, accountKey(guess), { longestSeconds, at });
  if (waitMs > 0 && address !== null) await takeBack(store, addressKey(address));
  return waitMs;
}

/** The try was right: it counts no longer, nor do those before it from the same place. */
export async function forgiveTry(store: Db | Tx, guess: Guess): Promise<void> {
  await store.delete(signInTry).where(eq(signInTry.key, accountKey(guess)));
  if (guess.address !== null) await takeBack(store, addressKey(guess.address));
}

/** One try to prove, within a session, that one is who one is: 0, or the milliseconds until the next. */
export const takeProofTry = (store: Db | Tx, staffId: string, at: SQL = sql`clock_timestamp()`): Promise<number> =>
  countTry(store, `proof:${staffId}`, { longestSeconds: LONGEST_WAIT_SECONDS, at });

export async function forgiveProofTry(store: Db | Tx, staffId: string): Promise<void> {
  await store.delete(signInTry).where(eq(signInTry.key, `proof:${staffId}`));
}

export async function forgetOldTries(store: Db | Tx): Promise<void> {
  await store.delete(signInTry).where(lt(signInTry.triedAt, storeTimeBefore(FORGOTTEN_AFTER_MS)));
}
