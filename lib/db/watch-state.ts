import { and, asc, eq, isNotNull, min, notInArray, sql } from "drizzle-orm";
import { cache } from "react";
import { env } from "@/lib/settings/env";
import type { Fresh } from "@/lib/text/page";
import { type ErrorKind, isBySilence, type ReadFailure, SILENT } from "@/lib/errors/result";
import { storeTimeBefore } from "./clock";
import { preparedOnce } from "./prepared";
import { silentSince } from "./provider-silence";
import { watchState } from "@/lib/db/tables/watch";
import { excluded } from "./columns";
import { type Db, db as openStore, type Tx } from "./connection";

export type WatchKey = { tenant: string; name: string };

const isOf = ({ tenant, name }: WatchKey) => and(eq(watchState.tenant, tenant), eq(watchState.name, name));

/** By the store's clock; 0 when due. */
export async function untilDueMs(db: Db, key: WatchKey, intervalMs: number): Promise<number> {
  const sinceMs = sql`extract(epoch from clock_timestamp() - ${watchState.begunAt}) * 1000`.mapWith(Number);
  const [state] = await db.select({ begunAt: watchState.begunAt, sinceMs }).from(watchState).where(isOf(key));
  if (state === undefined || state.begunAt === null) return 0;
  return Math.min(Math.max(0, Math.ceil(intervalMs - state.sinceMs)), intervalMs);
}

/** Null when one began less than `intervalMs` ago. */
export async function beginSweep(db: Db, key: WatchKey, intervalMs: number): Promise<Date | null> {
  const begunAt = sql`clock_timestamp()`;
  const [begun] = await db
    .insert(watchState)
    .values({ ...key, begunAt })
    .onConflictDoUpdate({
      target: [watchState.tenant, watchState.name],
      set: { begunAt },
      setWhere: sql`${watchState.begunAt} is null or ${watchState.begunAt} <= ${storeTimeBefore(intervalMs)}`,
    })
    .returning({ begunAt: watchState.begunAt });
  return begun?.begunAt ?? null;
}

export async function makeDue(db: Db, key: WatchKey): Promise<void> {
  await db
    .insert(watchState)
    .values(key)
    .onConflictDoUpdate({ target: [watchState.tenant, watchState.name], set: { begunAt: null } });
}

export async function readSweeps(db: Db, key: WatchKey): Promise<{ begunAt: Date | null; asOf: Date | null }> {
  const { begunAt, asOf } = watchState;
  const [state] = await db.select({ begunAt, asOf }).from(watchState).where(isOf(key));
  return state ?? { begunAt: null, asOf: null };
}

// A sweep that lost its lease may end after its successor.
const latest = (asOf: Date) => sql`greatest(${watchState.asOf}, ${asOf.toISOString()}::timestamptz)`;

/** `kind` is null when the failure was not the provider's. */
export type SweepFailure = { kind: ErrorKind | null; code: string | null };

const noFailure = { failedAt: null, errorKind: null, errorCode: null };

/** At a start: an earlier process's failure says nothing about this one. */
export async function forgetFailures(db: Db, tenant: string): Promise<void> {
  await db.update(watchState).set(noFailure).where(eq(watchState.tenant, tenant));
}

/** True when it failed before, or was never read. */
export async function endSweep(tx: Tx, key: WatchKey, asOf: Date): Promise<boolean> {
  const { failedAt, asOf: readAt } = watchState;
  const [before] = await tx.select({ failedAt, readAt }).from(watchState).where(isOf(key));
  await tx
    .update(watchState)
    .set({ asOf: latest(asOf), ...noFailure })
    .where(isOf(key));
  return before !== undefined && (before.failedAt !== null || before.readAt === null);
}

export async function failSweep(tx: Tx, key: WatchKey, { kind, code }: SweepFailure): Promise<boolean> {
  const { failedAt, errorKind, errorCode } = watchState;
  const [before] = await tx.select({ failedAt, errorKind, errorCode }).from(watchState).where(isOf(key));
  if (before !== undefined && before.failedAt !== null && before.errorKind === kind && before.errorCode === code) {
    return false;
  }
  const noted = { failedAt: sql`clock_timestamp()`, errorKind: kind, errorCode: code };
  await tx.update(watchState).set(noted).where(isOf(key));
  return true;
}

const selectWatchState = preparedOnce((db: Db) => {
  const { tenant, name, memory, asOf, failedAt, errorKind, errorCode } = watchState;
  const staleAfter = sql`${sql.placeholder("staleAfterMs")}::float8 * interval '1 millisecond'`;
  const isOverdue = sql`coalesce(${asOf} < clock_timestamp() - ${staleAfter}, false)`.mapWith(Boolean);
  return db
    .select({ memory, asOf, failedAt, errorKind, errorCode, isOverdue })
    .from(watchState)
    .where(and(eq(tenant, sql.placeholder("tenant")), eq(name, sql.placeholder("name"))))
    .prepare("watch_standing");
});

function dated({ tenant }: WatchKey, failure: ReadFailure): ReadFailure {
  if (!isBySilence(failure)) return failure;
  const since = silentSince(tenant);
  if (since !== null) return { kind: "unavailable", code: SILENT, since };
  // The provider answers again, and this list was not read since.
  return failure.code === "circuit-open" ? { ...failure, code: null, since: null } : failure;
}

/** Stale when it failed since, or is overdue. */
export async function readWatchState(
  db: Db,
  key: WatchKey,
  staleAfterMs: number,
): Promise<{ fresh: Fresh; memory: unknown }> {
  const [state] = await selectWatchState(db).execute({ ...key, staleAfterMs });
  if (state === undefined) return { fresh: { asOf: null, isStale: false, failure: null }, memory: null };
  const { failedAt, errorKind, errorCode } = state;
  const fresh: Fresh = {
    asOf: state.asOf?.toISOString() ?? null,
    isStale: state.isOverdue || failedAt !== null,
    failure:
      failedAt === null
        ? null
        : dated(key, { kind: errorKind ?? "unexpected", code: errorCode, since: failedAt.toISOString() }),
  };
  return { fresh, memory: state.memory };
}

const STALE_AFTER_ROUNDS = 3;

export const watchStanding = cache(async (tenant: string, name: string) =>
  readWatchState(await openStore(), { tenant, name }, STALE_AFTER_ROUNDS * env().watchIntervalMs),
);

export const freshness = async (tenant: string, name: string): Promise<Fresh> =>
  (await watchStanding(tenant, name)).fresh;

export async function failingSince(db: Db, tenant: string, code: string): Promise<string | null> {
  const [state] = await db
    .select({ since: min(watchState.failedAt) })
    .from(watchState)
    .where(and(eq(watchState.tenant, tenant), eq(watchState.errorCode, code)));
  return state?.since?.toISOString() ?? null;
}

export async function recall(db: Db, key: WatchKey): Promise<unknown> {
  const [state] = await db.select({ memory: watchState.memory }).from(watchState).where(isOf(key));
  return state?.memory ?? null;
}

export async function remember(db: Db, key: WatchKey, memory: Readonly<Record<string, unknown>>): Promise<void> {
  await db
    .insert(watchState)
    .values({ ...key, memory })
    .onConflictDoUpdate({ target: [watchState.tenant, watchState.name], set: { memory } });
}

export type PlannedWatch = { name: string; intervalMs: number };

/** Longer than a restart takes; a console that was away for longer owed nothing meanwhile. */
const AWAY_MS = 120_000;

/** At a start: which watches run here, how often, and since when they are counted on. */
export async function planWatches(db: Db, tenant: string, planned: readonly PlannedWatch[]): Promise<void> {
  const names = planned.map(({ name }) => name);
  await db.transaction(async (tx) => {
    const ofTenant = eq(watchState.tenant, tenant);
    const isAlive = sql<boolean>`coalesce(max(${watchState.begunAt}) > ${storeTimeBefore(AWAY_MS)}, false)`;
    const [last] = await tx.select({ isAlive }).from(watchState).where(ofTenant);
    const since = sql`clock_timestamp()`;
    await tx
      .insert(watchState)
      .values(planned.map(({ name, intervalMs }) => ({ tenant, name, intervalMs, runsSince: since })))
      .onConflictDoUpdate({
        target: [watchState.tenant, watchState.name],
        set: {
          intervalMs: excluded(watchState.intervalMs),
          runsSince: last?.isAlive === true ? sql`coalesce(${watchState.runsSince}, ${since})` : since,
        },
      });
    await tx
      .update(watchState)
      .set({ intervalMs: null })
      .where(and(ofTenant, notInArray(watchState.name, names)));
  });
}

/** Of every process: those that were planned at the last start, by name. */
export async function listWatches(db: Db, tenant: string) {
  const { name, begunAt, asOf, failedAt, errorKind, errorCode, runsSince } = watchState;
  const intervalMs = sql<number>`${watchState.intervalMs}`.mapWith(Number);
  return db
    .select({ name, intervalMs, begunAt, asOf, failedAt, errorKind, errorCode, runsSince })
    .from(watchState)
    .where(and(eq(watchState.tenant, tenant), isNotNull(watchState.intervalMs)))
    .orderBy(asc(name));
}
