import { createHmac } from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import { eq, lt, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { CLIENT_ADDRESS_HEADER, networkOf } from "@/server/addresses.mjs";
import { env } from "@/lib/settings/env";
import { storeTimeBefore } from "@/lib/db/clock";
import type { Db, Tx } from "@/lib/db/connection";
import { signInTry, staffAddress } from "@/lib/db/tables/auth";

const FREE_TRIES = 5;
const FORGOTTEN_AFTER_MS = 24 * 60 * 60_000;
/** Beyond that the wait is at its maximum anyway, and powers of two overflow. */
const MAX_DOUBLINGS = 16;

const Waits = z.object({ rows: z.array(z.object({ wait_ms: z.coerce.number() })) });

async function readWaitMs(store: Db | Tx, key: string, wait: SQL): Promise<number> {
  const asked = sql`select ${wait} as wait_ms from ${signInTry} where ${signInTry.key} = ${key}`;
  const [row] = Waits.parse(await store.execute(asked)).rows;
  return Math.max(1, Math.ceil(row?.wait_ms ?? 1));
}

/** The wait after five failures, doubling up to the longest. */
type Rhythm = { firstSeconds: number; longestSeconds: number; at: SQL };

/** One statement, so that concurrent tries each count. Returns 0, or the milliseconds until the next. */
async function countTry(store: Db | Tx, key: string, rhythm: Rhythm): Promise<number> {
  const { firstSeconds, longestSeconds, at } = rhythm;
  const { tries, triedAt } = signInTry;
  const isForgotten = sql`${triedAt} < ${at} - ${FORGOTTEN_AFTER_MS} * interval '1 millisecond'`;
  const doubled = sql`${firstSeconds}::int * power(2, least(${tries} - ${FREE_TRIES}, ${MAX_DOUBLINGS}))`;
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

/** A window starts with its first try; `always`: count even beyond the quota. */
type Quota = { most: number; windowMs: number; always?: boolean; at: SQL };

/** Returns 0, or the milliseconds until the next window. */
async function countWithin(store: Db | Tx, key: string, quota: Quota): Promise<number> {
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

const LONGEST_WAIT_SECONDS = 15 * 60;
/** From a known address: guesses from elsewhere cannot lock the person out. */
const LONGEST_KNOWN_WAIT_SECONDS = 60;
const TRIES_PER_ADDRESS = 50;
const ADDRESS_WINDOW_MS = 15 * 60_000;
const CODE_WAIT_SECONDS = 5 * 60;
const CODES_FROM_ELSEWHERE = 30;
export const ADDRESS_KNOWN_FOR_MS = 90 * 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;
const LINKS_PER_ADDRESS = 20;
const LINKS_PER_ACCOUNT = 3;

const storeNow = sql`clock_timestamp()`;

/** Keyed hashes, so that the table reveals nobody. */
export type Guess = {
  account: string;
  address: string | null;
  isKnown: boolean;
};

export const keyedHash = (kind: "account" | "address", text: string): string =>
  createHmac("sha256", env().authSecret).update(`${kind}:${text}`).digest("base64url");

const accountKey = ({ account, address, isKnown }: Guess) =>
  isKnown && address !== null ? `account:${account}@${address}` : `account:${account}`;
const addressKey = (address: string) => `address:${address}`;

const takeBack = (store: Db | Tx, key: string) =>
  store
    .update(signInTry)
    .set({ tries: sql`greatest(${signInTry.tries} - 1, 0)` })
    .where(eq(signInTry.key, key));

/** Counted as failed before the check. Returns 0, or the milliseconds to wait: 1 s after five failures, doubling. */
export async function takeTry(store: Db | Tx, guess: Guess, at: SQL = storeNow): Promise<number> {
  const { address, isKnown } = guess;
  if (address !== null) {
    const quota = { most: TRIES_PER_ADDRESS, windowMs: ADDRESS_WINDOW_MS, always: isKnown, at };
    const waitMs = await countWithin(store, addressKey(address), quota);
    if (waitMs > 0) return waitMs;
  }
  const longestSeconds = isKnown ? LONGEST_KNOWN_WAIT_SECONDS : LONGEST_WAIT_SECONDS;
  const waitMs = await countTry(store, accountKey(guess), { firstSeconds: 1, longestSeconds, at });
  if (waitMs > 0 && address !== null) await takeBack(store, addressKey(address));
  return waitMs;
}

/** Also forgets earlier tries from the same address. */
export async function forgiveTry(store: Db | Tx, guess: Guess): Promise<void> {
  await store.delete(signInTry).where(eq(signInTry.key, accountKey(guess)));
  if (guess.address !== null) await takeBack(store, addressKey(guess.address));
}

/** After a password link was used, earlier guesses no longer delay its person. */
export async function forgetTriesAt(store: Db | Tx, account: string): Promise<void> {
  await store.delete(signInTry).where(sql`starts_with(${signInTry.key}, ${`account:${account}`})`);
}

/** Per session: guesses in one do not delay another. */
export const takeProofTry = (store: Db | Tx, session: string, at: SQL = storeNow): Promise<number> =>
  countTry(store, `proof:${session}`, { firstSeconds: 1, longestSeconds: LONGEST_WAIT_SECONDS, at });

export async function forgiveProofTry(store: Db | Tx, session: string): Promise<void> {
  await store.delete(signInTry).where(eq(signInTry.key, `proof:${session}`));
}

export type CodeOrigin = { session: string } | Pick<Guess, "address" | "isKnown">;

const codesOf = (staffId: string) => `code:${staffId}`;
const codeKey = (staffId: string, origin: CodeOrigin) =>
  "session" in origin ? `${codesOf(staffId)}#${origin.session}` : `${codesOf(staffId)}@${origin.address ?? ""}`;
const isElsewhere = (origin: CodeOrigin) => !("session" in origin) && !origin.isKnown;

/** Five at once, then one every five minutes per session and address; 30 an hour from unknown addresses together. */
export async function takeCodeTry(
  tx: Tx,
  { staffId, origin }: { staffId: string; origin: CodeOrigin },
  at: SQL = storeNow,
): Promise<number> {
  if (isElsewhere(origin)) {
    const quota = { most: CODES_FROM_ELSEWHERE, windowMs: HOUR_MS, at };
    const waitMs = await countWithin(tx, codesOf(staffId), quota);
    if (waitMs > 0) return waitMs;
  }
  const rhythm = { firstSeconds: CODE_WAIT_SECONDS, longestSeconds: CODE_WAIT_SECONDS, at };
  const waitMs = await countTry(tx, codeKey(staffId, origin), rhythm);
  if (waitMs > 0 && isElsewhere(origin)) await takeBack(tx, codesOf(staffId));
  return waitMs;
}

export async function forgiveCodeTry(tx: Tx, staffId: string, origin: CodeOrigin): Promise<void> {
  await tx.delete(signInTry).where(eq(signInTry.key, codeKey(staffId, origin)));
  if (isElsewhere(origin)) await takeBack(tx, codesOf(staffId));
}

/** 0, or the milliseconds until the address may ask again. */
export const takeLinkTry = (store: Db | Tx, address: string, at: SQL = storeNow): Promise<number> =>
  countWithin(store, `link:${address}`, { most: LINKS_PER_ADDRESS, windowMs: ADDRESS_WINDOW_MS, at });

export const mayBeSentLink = async (store: Db | Tx, account: string, at: SQL = storeNow): Promise<boolean> =>
  (await countWithin(store, `link-to:${account}`, { most: LINKS_PER_ACCOUNT, windowMs: HOUR_MS, at })) === 0;

export async function forgetOldTries(store: Db | Tx): Promise<void> {
  await store.delete(staffAddress).where(lt(staffAddress.seenAt, storeTimeBefore(ADDRESS_KNOWN_FOR_MS)));
  await store.delete(signInTry).where(lt(signInTry.triedAt, storeTimeBefore(FORGOTTEN_AFTER_MS)));
}

export type Device = {
  browser: string | null;
  system: string | null;
  /** Without its last part, which still lets people recognise their own network. */
  maskedAddress: string | null;
  addressHash: string | null;
};

export const UNKNOWN_DEVICE: Device = { browser: null, system: null, maskedAddress: null, addressHash: null };

// The first match counts, as browsers name their ancestors too.
const BROWSERS: readonly [name: string, pattern: RegExp][] = [
  ["Edge", /\bEdg(?:A|iOS)?\/(\d{1,4})/],
  ["Opera", /\bOPR\/(\d{1,4})/],
  ["Samsung Internet", /\bSamsungBrowser\/(\d{1,4})/],
  ["Firefox", /\b(?:Firefox|FxiOS)\/(\d{1,4})/],
  ["Chrome", /\b(?:Chrome|CriOS|HeadlessChrome)\/(\d{1,4})/],
  ["Safari", /\bVersion\/(\d{1,4})[\d.]{0,20} (?:Mobile\/\w{1,20} )?Safari\//],
];
const SYSTEMS: readonly [name: string, pattern: RegExp][] = [
  ["iPadOS", /\biPad\b/],
  ["iOS", /\biPhone\b/],
  ["Android", /\bAndroid\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Windows", /\bWindows NT\b/],
  ["macOS", /\bMacintosh\b/],
  ["Linux", /\bLinux\b/],
];

function browserOf(userAgent: string): string | null {
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version !== undefined) return `${name} ${version}`;
  }
  return null;
}

const systemOf = (userAgent: string) => SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null;

const USER_AGENT_MAX_LENGTH = 512;
const KEPT_GROUPS = 3;

/** `203.0.113.•`, `2001:db8:85a3:…`; null for anything else. */
export function maskAddress(address: string): string | null {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (isIPv4(plain)) return plain.replace(/\.\d+$/, ".•");
  if (!isIPv6(plain)) return null;
  const [front = ""] = plain.split("::");
  return `${front.split(":").filter(Boolean).slice(0, KEPT_GROUPS).join(":")}:…`;
}

export function deviceOf(headers: Headers): Device {
  const userAgent = (headers.get("user-agent") ?? "").slice(0, USER_AGENT_MAX_LENGTH);
  const address = headers.get(CLIENT_ADDRESS_HEADER);
  return {
    browser: browserOf(userAgent),
    system: systemOf(userAgent),
    maskedAddress: address === null ? null : maskAddress(address),
    addressHash: address === null ? null : keyedHash("address", networkOf(address)),
  };
}
