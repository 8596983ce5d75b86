import { and, eq, exists, ne, or, sql } from "drizzle-orm";
import { readBalance } from "@/lib/accounts/records";
import { watchActor } from "@/lib/permission/grant";
import { isOfEverybody, isProviderTrouble } from "@/lib/provider/answer";
import { AppError } from "@/lib/errors/app-error";
import { isBySilence } from "@/lib/errors/result";
import { assetKey } from "@/lib/contract/identity";
import { silentSince } from "@/lib/db/provider-silence";
import { publish } from "@/lib/db/publish";
import { inSteps } from "@/lib/watch/in-steps";
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
import { spanOfReadings, type Subject, sumReadings } from "./sum";
import type { Figure } from "@/lib/db/enums/position";

type Round = { tenant: string; day: string };
type Turn = Round & { againAt: Date | null };
type AccountRow = typeof account.$inferSelect;
type ReadFigures = { figures: Figure[]; readAt: Date };
type Due = Subject & { read: () => Promise<ReadFigures | null> };

/** An unreadable balance is retried after this time, and then each time after twice as long. */
const AGAIN_MS = 30 * 60_000;
/** The same of one that got no answer while others do. */
const UNANSWERED_MS = 30_000;
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

/** The wallet watch may have read it since midnight, or since it was asked for again: then no call is made. */
async function readWallet(store: Db, { tenant, day, againAt }: Turn, place: WalletPlace): Promise<ReadFigures | null> {
  let stored = await storedHoldings(store, tenant, place);
  if (stored === null || civilDay(stored.asOf) !== day || stored.asOf < (againAt ?? stored.asOf)) {
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

/** An account that was closed after its reading is read again, too. */
async function listSubjects(store: Db, round: Turn): Promise<Due[]> {
  const { tenant } = round;
  const isOfAccount = eq(positionReading.subject, sql`'account:' || ${account.ref}`);
  const reading = store
    .select()
    .from(positionReading)
    .where(and(readingsOf(round), isOfAccount));
  const isListed = or(ne(account.standing, "CLOSED"), exists(reading));
  const accounts = await store
    .select()
    .from(account)
    .where(and(eq(account.tenant, tenant), isListed))
    .orderBy(account.ref);
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

type Tried = Pick<typeof positionReading.$inferSelect, "readAt" | "triedAt" | "attempts" | "isUnanswered">;

const isBefore = (at: Date, { againAt }: Pick<Turn, "againAt">) => againAt !== null && at < againAt;

const isSettled = ({ readAt }: Pick<Tried, "readAt">, turn: Pick<Turn, "againAt">) =>
  readAt !== null && !isBefore(readAt, turn);

const isUntried = (one: Pick<Tried, "readAt" | "triedAt">, turn: Pick<Turn, "againAt">) =>
  isBefore(one.triedAt, turn) && !isSettled(one, turn);

function isRested({ triedAt, attempts, isUnanswered }: Tried, isSilent: boolean): boolean {
  if (isUnanswered && isSilent) return false;
  const pauseMs = (isUnanswered ? UNANSWERED_MS : AGAIN_MS) * 2 ** (attempts - 1);
  return Date.now() - triedAt.getTime() >= pauseMs;
}

/** Those of no reading first, then those to be read again, then unreadable ones once their pause is over. */
async function dueIn(store: Db, turn: Turn, subjects: readonly Due[]): Promise<Due[]> {
  const { subject, network, attempts, triedAt, readAt, isUnanswered } = positionReading;
  const tried = await store
    .select({ subject, network, attempts, triedAt, readAt, isUnanswered })
    .from(positionReading)
    .where(readingsOf(turn));
  const before = new Map(tried.map((one) => [`${one.subject} ${one.network}`, one]));
  const isSilent = silentSince(turn.tenant) !== null;
  const fresh: Due[] = [];
  const again: Due[] = [];
  const retried: Due[] = [];
  for (const one of subjects) {
    const had = before.get(`${one.subject} ${one.network}`);
    if (had === undefined) fresh.push(one);
    else if (isUntried(had, turn)) again.push(one);
    else if (!isSettled(had, turn) && isRested(had, isSilent)) retried.push(one);
  }
  return [...fresh, ...again, ...retried];
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

const placeOfReading = [positionReading.tenant, positionReading.day, positionReading.subject, positionReading.network];

function attemptOf({ againAt }: Turn) {
  const { attempts, triedAt } = positionReading;
  const next = sql`${attempts} + 1`;
  if (againAt === null) return next;
  return sql`case when ${triedAt} < ${againAt.toISOString()}::timestamptz then 1 else ${next} end`;
}

async function saveReading(store: Db, turn: Turn, due: Due, { figures, readAt }: ReadFigures): Promise<void> {
  const { tenant, day } = turn;
  const { subject, network, kind } = due;
  const values = { kind, figures, readAt, triedAt: new Date(), isUnanswered: false };
  await store
    .insert(positionReading)
    .values({ tenant, day, subject, network, attempts: 1, ...values })
    .onConflictDoUpdate({
      target: placeOfReading,
      set: { ...values, attempts: attemptOf(turn) },
      setWhere: sql`coalesce(${positionReading.readAt} <= ${readAt.toISOString()}::timestamptz, true)`,
    });
}

async function saveFailure(store: Db, turn: Turn, due: Due, isUnanswered: boolean): Promise<void> {
  const { tenant, day } = turn;
  const { subject, network, kind } = due;
  const values = { kind, triedAt: new Date(), isUnanswered };
  await store
    .insert(positionReading)
    .values({ tenant, day, subject, network, attempts: 1, ...values })
    .onConflictDoUpdate({ target: placeOfReading, set: { ...values, attempts: attemptOf(turn) } });
}

const nowSql = sql`clock_timestamp()`;

/** Sums and progress of the day, from all its readings. A source that is new does not end what was finished. */
async function saveSums(store: Db, round: Round, subjects: readonly Due[]): Promise<void> {
  const { tenant, day } = round;
  await store.transaction(async (tx) => {
    const { againAt, finishedAt, againFinishedAt } = positionRound;
    const [turn] = await tx.select({ againAt }).from(positionRound).where(roundOf(round)).for("update");
    if (turn === undefined) return;
    const { subject, network, kind, figures, readAt, triedAt } = positionReading;
    const readings = await tx
      .select({ subject, network, kind, figures, readAt, triedAt })
      .from(positionReading)
      .where(readingsOf(round));
    const sums = sumReadings(readings, subjects).map(({ oldestAt, ...sum }) => {
      return { tenant, day, ...sum, oldestAt: oldestAt === null ? null : new Date(oldestAt) };
    });
    await tx.delete(positionSum).where(and(eq(positionSum.tenant, tenant), eq(positionSum.day, day)));
    for (let at = 0; at < sums.length; at += SUMS_AT_ONCE)
      await tx.insert(positionSum).values(sums.slice(at, at + SUMS_AT_ONCE));
    const had = new Set(readings.map((one) => `${one.subject} ${one.network}`));
    const listed = new Set(subjects.map((one) => `${one.subject} ${one.network}`));
    const untried = subjects.filter((one) => !had.has(`${one.subject} ${one.network}`)).length;
    const tried = readings.length;
    const failed = readings.filter((one) => one.readAt === null).length;
    const ofTurn = readings.filter((one) => listed.has(`${one.subject} ${one.network}`));
    const waiting = untried + ofTurn.filter((one) => isUntried(one, turn)).length;
    const againFailed = ofTurn.filter((one) => !isUntried(one, turn) && !isSettled(one, turn)).length;
    const isSame = sql`${positionRound.tried} = ${tried} and ${positionRound.failed} = ${failed}`;
    const stood = sql`case when ${isSame} then ${finishedAt} end`;
    await tx
      .update(positionRound)
      .set({
        ...spanOfReadings(readings),
        total: tried + untried,
        tried,
        failed,
        ...(untried === 0 && { finishedAt: sql`coalesce(${stood}, ${nowSql})` }),
        ...(turn.againAt !== null && {
          againTried: tried + untried - waiting,
          againFailed,
          ...(waiting === 0 && { againFinishedAt: sql`coalesce(${againFinishedAt}, ${nowSql})` }),
        }),
      })
      .where(roundOf(round));
    await publish(tx, { tenant, topic: "position" });
  });
}

/** Whether there is something to show: it is new, or the number of listed items outside any sum changed. */
async function beginRound(store: Db, round: Round, total: number): Promise<boolean> {
  const { tenant, day } = round;
  const outside = (await readUnreadOnboardings({ tenant })).length + (await countUnplaced(store, tenant));
  const begun = await store
    .insert(positionRound)
    .values({ tenant, day, startedAt: new Date(), total, tried: 0, failed: 0, outside })
    .onConflictDoUpdate({
      target: [positionRound.tenant, positionRound.day],
      set: { outside },
      setWhere: ne(positionRound.outside, outside),
    })
    .returning({ day: positionRound.day });
  return begun.length > 0;
}

async function turnOf(store: Db, round: Round): Promise<Turn> {
  const { againAt } = positionRound;
  const [begun] = await store.select({ againAt }).from(positionRound).where(roundOf(round));
  return { ...round, againAt: begun?.againAt ?? null };
}

type Attempt = "read" | "failed" | "out-of-turn" | "day-over";

async function attempt(store: Db, turn: Turn, due: Due): Promise<Attempt> {
  let taken: ReadFigures | null;
  try {
    taken = await due.read();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (isOutOfTurn(error)) return "out-of-turn";
    if (isOfEverybody(error)) throw error;
    await saveFailure(store, turn, due, isBySilence({ kind: error.kind, ...error.details }));
    if (isProviderTrouble(error.kind)) throw error;
    return "failed";
  }
  if (taken === null) {
    await saveFailure(store, turn, due, false);
    return "failed";
  }
  // It waited for its turn beyond midnight.
  if (civilDay(taken.readAt) !== turn.day) return "day-over";
  await saveReading(store, turn, due, taken);
  return "read";
}

/** Resumes where the last run ended, even after a kill; each reading is stored as it comes. */
export async function readOn(tenant: string, withinMs: number) {
  const store = await db();
  const turn = await turnOf(store, { tenant, day: civilDay(new Date()) });
  const subjects = await listSubjects(store, turn);
  const isBegun = await beginRound(store, turn, subjects.length);
  const hasNews = (await regroup(store, turn, subjects)) || isBegun;
  const due = await dueIn(store, turn, subjects);
  const untilMs = Date.now() + withinMs;
  const showProgress = inSteps(() => saveSums(store, turn, subjects));
  let end: "done" | "unfinished" = "done";
  try {
    for (const one of due) {
      const tried =
        Date.now() >= untilMs || civilDay(new Date()) !== turn.day ? "day-over" : await attempt(store, turn, one);
      if (tried === "out-of-turn") break;
      if (tried === "day-over") {
        end = "unfinished";
        break;
      }
      await showProgress();
    }
  } finally {
    if (hasNews || due.length > 0) await saveSums(store, turn, subjects);
  }
  return end;
}

/** Starts with each São Paulo day, at the lowest priority. */
export const positionWatch: Watch = {
  name: POSITION_WATCH,
  topic: "position",
  sweep: (tenant) => readOn(tenant, env().watchIntervalMs),
};
