import { and, eq, isNull, ne, sql } from "drizzle-orm";
import { readBalance } from "@/lib/accounts/records";
import { watchActor } from "@/lib/permission/grant";
import { isProviderTrouble } from "@/lib/provider/answer";
import { AppError } from "@/lib/errors/app-error";
import { assetKey } from "@/lib/contract/identity";
import { publish } from "@/lib/db/publish";
import type { Watch } from "@/lib/watch/watch";
import { env } from "@/lib/settings/env";
import { accountDocument } from "@/lib/db/document";
import { account } from "@/lib/db/tables/customers";
import { unsealedOrNull } from "@/lib/db/seal";
import { readUnreadOnboardings } from "@/lib/onboarding/records";
import { type Db, db } from "@/lib/db/connection";
import { isDecimal } from "@/lib/text/format";
import { civilDay } from "@/lib/text/time";
import { sha256 } from "@/lib/text/decode";
import {
  countUnplaced,
  isOutOfTurn,
  listPlaces,
  placeKey,
  refreshBalance,
  storedHoldings,
  type WalletPlace,
} from "@/lib/wallets/records";
import { POSITION_WATCH } from "./inputs";
import { positionReading, positionRound, positionSum } from "@/lib/db/tables/position";
import { ownAccounts } from "./own-accounts";
import { type Subject, sumReadings } from "./sum";
import type { Figure } from "@/lib/db/enums/position";

type Round = { tenant: string; day: string };
type AccountRow = typeof account.$inferSelect;
type ReadFigures = { figures: Figure[]; readAt: Date };
type Due = Subject & { read: () => Promise<ReadFigures | null> };

/** An unreadable balance is retried after this time, and then each time after twice as long. */
const AGAIN_MS = 30 * 60_000;
/** A longer id cannot be looked up. */
const NAME_MAX = 300;

const shortened = (name: string) => (name.length <= NAME_MAX ? name : `${name.slice(0, NAME_MAX / 2)}…${sha256(name)}`);

/** A statement holds a limited number of parameters. */
const SUMS_AT_ONCE = 1_000;

const exact = (text: string): string | null => (isDecimal(text) ? text : null);

async function readAccount(tenant: string, row: AccountRow): Promise<ReadFigures | null> {
  const documentNumber = unsealedOrNull(() => accountDocument(row));
  if (documentNumber === null) return null;
  const actor = watchActor("position", tenant, "accounts:read");
  const asked = { accountId: row.accountId, documentNumber };
  const { balance, blockedBalance, asOf } = await readBalance(actor, asked, row.ref, {
    isPatient: true,
    isFirst: row.balanceAt === null,
  });
  const figures: Figure[] = [
    { asset: "BRL", token: "", part: "available", amount: exact(balance) },
    { asset: "BRL", token: "", part: "blocked", amount: exact(blockedBalance) },
  ];
  return { figures, readAt: new Date(asOf) };
}

/** The wallet watch may have read it since midnight: then no call is made. */
async function readWallet(store: Db, { tenant, day }: Round, place: WalletPlace): Promise<ReadFigures | null> {
  let stored = await storedHoldings(store, tenant, place);
  if (stored === null || civilDay(stored.asOf) !== day) {
    const how = { isPatient: true, isFirst: stored === null };
    await refreshBalance(watchActor("position", tenant, "wallets:read"), place, how);
    stored = await storedHoldings(store, tenant, place);
  }
  if (stored === null) return null;
  const figures = new Map<string, Figure>();
  for (const { asset, tokenAddress, balance } of stored.holdings) {
    const named = { asset: shortened(asset), token: shortened(tokenAddress) };
    const key = assetKey(place.network, { asset, tokenAddress });
    // A repeated balance may be one or two.
    const amount = figures.has(key) ? null : balance;
    figures.set(key, { ...named, part: "available", amount });
  }
  return { figures: [...figures.values()], readAt: stored.asOf };
}

/** An address holds one balance on a network, however many wallets list it. */
export const distinctPlaces = (places: readonly WalletPlace[]): WalletPlace[] => [
  ...new Map(places.map((one) => [placeKey(one.network, one.address), one] as const)).values(),
];

const subjectOf = ({ walletId }: WalletPlace) => `wallet:${walletId}`;

async function dropOtherIds(store: Db, round: Round, places: readonly WalletPlace[]): Promise<void> {
  const standing = new Set(distinctPlaces(places));
  for (const other of places.filter((one) => !standing.has(one)))
    await store
      .delete(positionReading)
      .where(
        and(
          readingsOf(round),
          eq(positionReading.subject, subjectOf(other)),
          eq(positionReading.network, other.network),
        ),
      );
}

async function listSubjects(store: Db, round: Round): Promise<Due[]> {
  const { tenant } = round;
  const isOpen = and(eq(account.tenant, tenant), ne(account.standing, "CLOSED"));
  const accounts = await store.select().from(account).where(isOpen).orderBy(account.ref);
  const own = await ownAccounts(store, tenant);
  const listed = await listPlaces(store, tenant);
  const places = distinctPlaces(listed);
  const emptyLast = places.toSorted((one, other) => Number(one.use === "checkout") - Number(other.use === "checkout"));
  await dropOtherIds(store, round, listed);
  return [
    ...accounts.map((row): Due => ({
      subject: `account:${row.ref}`,
      network: "",
      kind: own?.has(`account:${row.ref}`) === true ? "own-account" : "account",
      read: () => readAccount(tenant, row),
    })),
    ...emptyLast.map((place): Due => ({
      subject: subjectOf(place),
      network: place.network,
      kind: place.use ?? "untold",
      read: () => readWallet(store, round, place),
    })),
  ];
}

const readingsOf = ({ tenant, day }: Round) => and(eq(positionReading.tenant, tenant), eq(positionReading.day, day));
const roundOf = ({ tenant, day }: Round) => and(eq(positionRound.tenant, tenant), eq(positionRound.day, day));

/** Untried ones first, then unreadable ones once their pause is over. */
async function dueIn(store: Db, round: Round, subjects: readonly Due[]): Promise<Due[]> {
  const { subject, network, attempts, triedAt } = positionReading;
  const isRead = sql<boolean>`${positionReading.readAt} is not null`;
  const tried = await store
    .select({ subject, network, attempts, triedAt, isRead })
    .from(positionReading)
    .where(readingsOf(round));
  const before = new Map(tried.map((one) => [`${one.subject} ${one.network}`, one]));
  const standingOf = (one: Due) => before.get(`${one.subject} ${one.network}`);
  const fresh = subjects.filter((one) => standingOf(one) === undefined);
  const again = subjects.filter((one) => {
    const had = standingOf(one);
    if (had === undefined || had.isRead) return false;
    return Date.now() - had.triedAt.getTime() >= AGAIN_MS * 2 ** (had.attempts - 1);
  });
  return [...fresh, ...again];
}

/** Whose it is counts as it stands now, whenever it was read. */
async function regroup(store: Db, round: Round, subjects: readonly Due[]): Promise<boolean> {
  const { subject, network, kind } = positionReading;
  const readings = await store.select({ subject, network, kind }).from(positionReading).where(readingsOf(round));
  const before = new Map(readings.map((one) => [`${one.subject} ${one.network}`, one.kind]));
  const moved = subjects.filter((one) => (before.get(`${one.subject} ${one.network}`) ?? one.kind) !== one.kind);
  for (const one of moved) {
    const isIt = and(readingsOf(round), eq(subject, one.subject), eq(network, one.network));
    await store.update(positionReading).set({ kind: one.kind }).where(isIt);
  }
  return moved.length > 0;
}

async function saveReading(store: Db, { tenant, day }: Round, due: Due, taken: ReadFigures | null): Promise<void> {
  const { subject, network, kind } = due;
  const values = { kind, figures: taken?.figures ?? null, readAt: taken?.readAt ?? null, triedAt: new Date() };
  await store
    .insert(positionReading)
    .values({ tenant, day, subject, network, attempts: 1, ...values })
    .onConflictDoUpdate({
      target: [positionReading.tenant, positionReading.day, positionReading.subject, positionReading.network],
      set: { ...values, attempts: sql`${positionReading.attempts} + 1` },
      setWhere: isNull(positionReading.readAt),
    });
}

/** Sums and progress of the day, from all its readings. */
async function saveSums(store: Db, round: Round, subjects: readonly Due[]): Promise<void> {
  const { tenant, day } = round;
  await store.transaction(async (tx) => {
    const { subject, network, kind, figures, readAt } = positionReading;
    const readings = await tx
      .select({ subject, network, kind, figures, readAt })
      .from(positionReading)
      .where(readingsOf(round));
    const sums = sumReadings(readings, subjects).map(({ oldestAt, ...sum }) => {
      return { tenant, day, ...sum, oldestAt: oldestAt === null ? null : new Date(oldestAt) };
    });
    await tx.delete(positionSum).where(and(eq(positionSum.tenant, tenant), eq(positionSum.day, day)));
    for (let at = 0; at < sums.length; at += SUMS_AT_ONCE)
      await tx.insert(positionSum).values(sums.slice(at, at + SUMS_AT_ONCE));
    const had = new Set(readings.map((one) => `${one.subject} ${one.network}`));
    const untried = subjects.filter((one) => !had.has(`${one.subject} ${one.network}`)).length;
    const tried = readings.length;
    const failed = readings.filter((one) => one.readAt === null).length;
    const isSame = sql`${positionRound.tried} = ${tried} and ${positionRound.failed} = ${failed}`;
    const stood = sql`case when ${isSame} then ${positionRound.finishedAt} end`;
    const finishedAt = untried === 0 ? sql`coalesce(${stood}, clock_timestamp())` : null;
    const progress = { total: tried + untried, tried, failed, finishedAt };
    await tx.update(positionRound).set(progress).where(roundOf(round));
    await publish(tx, { tenant, topic: "position" });
  });
}

/** Whether there is something to show: it is new, or the number of listed items outside any sum changed. */
async function beginRound(store: Db, round: Round, total: number): Promise<boolean> {
  const { tenant } = round;
  const outside = (await readUnreadOnboardings({ tenant })).length + (await countUnplaced(store, tenant));
  const begun = await store
    .insert(positionRound)
    .values({ ...round, startedAt: new Date(), total, tried: 0, failed: 0, outside })
    .onConflictDoUpdate({
      target: [positionRound.tenant, positionRound.day],
      set: { outside },
      setWhere: ne(positionRound.outside, outside),
    })
    .returning({ day: positionRound.day });
  return begun.length > 0;
}

type Attempt = "read" | "failed" | "out-of-turn";

async function attempt(store: Db, round: Round, due: Due): Promise<Attempt> {
  let taken: ReadFigures | null;
  try {
    taken = await due.read();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (isOutOfTurn(error)) return "out-of-turn";
    await saveReading(store, round, due, null);
    if (isProviderTrouble(error.kind)) throw error;
    return "failed";
  }
  await saveReading(store, round, due, taken);
  return taken === null ? "failed" : "read";
}

/** Resumes where the last run ended, even after a kill; each reading is stored as it comes. */
export async function readOn(tenant: string, withinMs: number) {
  const store = await db();
  const round = { tenant, day: civilDay(new Date()) };
  const subjects = await listSubjects(store, round);
  const isBegun = await beginRound(store, round, subjects.length);
  const hasNews = (await regroup(store, round, subjects)) || isBegun;
  const due = await dueIn(store, round, subjects);
  const untilMs = Date.now() + withinMs;
  let end: "done" | "unfinished" = "done";
  try {
    for (const one of due) {
      if (Date.now() >= untilMs || civilDay(new Date()) !== round.day) {
        end = "unfinished";
        break;
      }
      if ((await attempt(store, round, one)) === "out-of-turn") break;
    }
  } finally {
    if (hasNews || due.length > 0) await saveSums(store, round, subjects);
  }
  return end;
}

/** Starts with each São Paulo day, at the lowest priority. */
export const positionWatch: Watch = {
  name: POSITION_WATCH,
  topic: "position",
  sweep: (tenant) => readOn(tenant, env().watchIntervalMs),
};
