import { createHmac } from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import { eq, lt, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { CLIENT_ADDRESS_HEADER, networkOf } from "@/door/addresses.mjs";
import { env } from "@/lib/settings/env";
import { storeTimeBefore } from "@/lib/store/clock";
import type { Db, Tx } from "@/lib/store/store";
import { signInTry, staffAddress } from "./schema";

const FREE_TRIES = 5;
const FORGOTTEN_AFTER_MS = 24 * 60 * 60_000;
/** Beyond that the wait is the longest anyway, and powers of two overflow. */
const MOST_DOUBLINGS = 16;

const Waits = z.object({ rows: z.array(z.object({ wait_ms: z.coerce.number() })) });

async function readWaitMs(store: Db | Tx, key: string, wait: SQL): Promise<number> {
  const asked = sql`select ${wait} as wait_ms from ${signInTry} where ${signInTry.key} = ${key}`;
  const [row] = Waits.parse(await store.execute(asked)).rows;
  return Math.max(1, Math.ceil(row?.wait_ms ?? 1));
}

/** How long the first try after five must wait, twice that the second, and how long one waits at most. */
type Rhythm = { firstSeconds: number; longestSeconds: number; at: SQL };

/**
 * Counts a try against a key when one is due, in one statement: tries at the same moment each count. Returns 0, or the
 * milliseconds until one is due.
 */
async function countTry(store: Db | Tx, key: string, rhythm: Rhythm): Promise<number> {
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
type Quota = { most: number; windowMs: number; always?: boolean; at: SQL };

/** Counts a try against a quota. Returns 0, or the milliseconds until the next stretch of time. */
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
/** For somebody who comes from where they came from before: whoever guesses from elsewhere cannot keep them out. */
const LONGEST_KNOWN_WAIT_SECONDS = 60;
const TRIES_PER_ADDRESS = 50;
const ADDRESS_WINDOW_MS = 15 * 60_000;
const CODE_WAIT_SECONDS = 5 * 60;
/** From addresses that a person is not known at, all of them together. */
const CODES_FROM_ELSEWHERE = 30;
/** For whoever has not come from an address for so long it is a stranger's. */
export const ADDRESS_KNOWN_FOR_MS = 90 * 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;
const LINKS_PER_ADDRESS = 20;
const LINKS_PER_ACCOUNT = 3;

const storeNow = sql`clock_timestamp()`;

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

/** The try was right: it counts no longer, nor do those before it from the same place. */
export async function forgiveTry(store: Db | Tx, guess: Guess): Promise<void> {
  await store.delete(signInTry).where(eq(signInTry.key, accountKey(guess)));
  if (guess.address !== null) await takeBack(store, addressKey(guess.address));
}

/** A new password was set by a link: what was guessed at this account, wherever from, keeps its person waiting no longer. */
export async function forgetTriesAt(store: Db | Tx, account: string): Promise<void> {
  await store.delete(signInTry).where(sql`starts_with(${signInTry.key}, ${`account:${account}`})`);
}

/**
 * One try to prove within a session, by its `ref`, that one is who one is: 0, or the milliseconds until the next. What is
 * guessed in one session keeps no other waiting, not even of the same person.
 */
export const takeProofTry = (store: Db | Tx, session: string, at: SQL = storeNow): Promise<number> =>
  countTry(store, `proof:${session}`, { firstSeconds: 1, longestSeconds: LONGEST_WAIT_SECONDS, at });

export async function forgiveProofTry(store: Db | Tx, session: string): Promise<void> {
  await store.delete(signInTry).where(eq(signInTry.key, `proof:${session}`));
}

/** Where a code is typed: in a session, or on the way in. */
export type CodePlace = { session: string } | Pick<Guess, "address" | "isKnown">;

const codesOf = (staffId: string) => `code:${staffId}`;
const codeKey = (staffId: string, place: CodePlace) =>
  "session" in place ? `${codesOf(staffId)}#${place.session}` : `${codesOf(staffId)}@${place.address ?? ""}`;
const isElsewhere = (place: CodePlace) => !("session" in place) && !place.isKnown;

/**
 * One try of a person's codes: 0, or the milliseconds until the next. Five at once, then one every five minutes, for each
 * session and each address by itself: whoever has only the password and guesses from elsewhere keeps its holder neither
 * from their desk nor from where they usually sign in. From unknown addresses together it is 30 an hour.
 */
export async function takeCodeTry(
  tx: Tx,
  { staffId, place }: { staffId: string; place: CodePlace },
  at: SQL = storeNow,
): Promise<number> {
  if (isElsewhere(place)) {
    const quota = { most: CODES_FROM_ELSEWHERE, windowMs: HOUR_MS, at };
    const waitMs = await countWithin(tx, codesOf(staffId), quota);
    if (waitMs > 0) return waitMs;
  }
  const rhythm = { firstSeconds: CODE_WAIT_SECONDS, longestSeconds: CODE_WAIT_SECONDS, at };
  const waitMs = await countTry(tx, codeKey(staffId, place), rhythm);
  if (waitMs > 0 && isElsewhere(place)) await takeBack(tx, codesOf(staffId));
  return waitMs;
}

/** The code was right: five may be tried there again. */
export async function forgiveCodeTry(tx: Tx, staffId: string, place: CodePlace): Promise<void> {
  await tx.delete(signInTry).where(eq(signInTry.key, codeKey(staffId, place)));
  if (isElsewhere(place)) await takeBack(tx, codesOf(staffId));
}

/** Asks whether an address may ask for one more link for a forgotten password: 0, or the milliseconds until it may. */
export const takeLinkTry = (store: Db | Tx, address: string, at: SQL = storeNow): Promise<number> =>
  countWithin(store, `link:${address}`, { most: LINKS_PER_ADDRESS, windowMs: ADDRESS_WINDOW_MS, at });

/** Whether an account may be sent one more: three an hour, whoever asks for them. */
export const mayBeSentLink = async (store: Db | Tx, account: string, at: SQL = storeNow): Promise<boolean> =>
  (await countWithin(store, `link-to:${account}`, { most: LINKS_PER_ACCOUNT, windowMs: HOUR_MS, at })) === 0;

/** Tries that count no longer, and addresses that nobody is known at any more. */
export async function forgetOldTries(store: Db | Tx): Promise<void> {
  await store.delete(staffAddress).where(lt(staffAddress.seenAt, storeTimeBefore(ADDRESS_KNOWN_FOR_MS)));
  await store.delete(signInTry).where(lt(signInTry.triedAt, storeTimeBefore(FORGOTTEN_AFTER_MS)));
}

/** Which program and machine somebody signs in with, and from where, in so far as it is told. */
export type Device = {
  /** `Firefox 131`. */
  browser: string | null;
  /** `Windows`. */
  system: string | null;
  /** Without its last part: enough to know one's own network by. */
  maskedAddress: string | null;
  addressHash: string | null;
};

export const UNKNOWN_DEVICE: Device = { browser: null, system: null, maskedAddress: null, addressHash: null };

// The first that fits: browsers name their ancestors as well.
const BROWSERS: readonly [name: string, pattern: RegExp][] = [
  ["Edge", /\bEdg(?:A|iOS)?\/(\d{1,4})/],
  ["Opera", /\bOPR\/(\d{1,4})/],
  ["Samsung Internet", /\bSamsungBrowser\/(\d{1,4})/],
  ["Firefox", /\b(?:Firefox|FxiOS)\/(\d{1,4})/],
  ["Chrome", /\b(?:Chrome|CriOS|HeadlessChrome)\/(\d{1,4})/],
  ["Safari", /\bVersion\/(\d{1,4})\S* (?:Mobile\/\S+ )?Safari\//],
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

/** `203.0.113.•`, `2001:db8:85a3:…`; null for what is no address. */
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
