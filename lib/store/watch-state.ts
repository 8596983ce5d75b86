import { and, eq, min, sql } from "drizzle-orm";
import type { Fresh } from "@/lib/text/page";
import type { ErrorKind } from "@/lib/errors/result";
import { storeTimeBefore } from "./clock";
import { watchState } from "./schema";
import type { Db, Tx } from "./store";

/** A watch of a tenant, as instances know it between them. */
export type WatchKey = { tenant: string; name: string };

const isOf = ({ tenant, name }: WatchKey) => and(eq(watchState.tenant, tenant), eq(watchState.name, name));

/** Milliseconds until the next sweep is due, by the store's clock; 0 when it is, or when there never was one. */
export async function untilDueMs(db: Db, key: WatchKey, intervalMs: number): Promise<number> {
  const sinceMs = sql`extract(epoch from clock_timestamp() - ${watchState.begunAt}) * 1000`.mapWith(Number);
  const [state] = await db.select({ begunAt: watchState.begunAt, sinceMs }).from(watchState).where(isOf(key));
  if (state === undefined || state.begunAt === null) return 0;
  return Math.min(Math.max(0, Math.ceil(intervalMs - state.sinceMs)), intervalMs);
}

/** Notes that a sweep begins now and returns when; null when one began less than `intervalMs` ago. */
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

/** Makes the next sweep due at once, whoever makes it. */
export async function makeDue(db: Db, key: WatchKey): Promise<void> {
  await db
    .insert(watchState)
    .values(key)
    .onConflictDoUpdate({ target: [watchState.tenant, watchState.name], set: { begunAt: null } });
}

/** When the last sweep began, and when the last one did that came to its end. */
export async function readSweeps(db: Db, key: WatchKey): Promise<{ begunAt: Date | null; asOf: Date | null }> {
  const { begunAt, asOf } = watchState;
  const [state] = await db.select({ begunAt, asOf }).from(watchState).where(isOf(key));
  return state ?? { begunAt: null, asOf: null };
}

// A sweep that lost its lease may end after the one that took it up.
const latest = (asOf: Date) => sql`greatest(${watchState.asOf}, ${asOf.toISOString()}::timestamptz)`;

/** Why a sweep failed; `kind` is null when that was no failure of the provider's. */
export type SweepFailure = { kind: ErrorKind | null; code: string | null };

/** Notes that the sweep that began last came to its end. */
export async function endSweep(tx: Tx, key: WatchKey, asOf: Date): Promise<void> {
  const noFailure = { failedAt: null, errorKind: null, errorCode: null };
  await tx
    .update(watchState)
    .set({ asOf: latest(asOf), ...noFailure })
    .where(isOf(key));
}

/** Notes why the sweep that began last failed, and since when that is so; returns whether it is news. */
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

/** When a watch's last complete sweep began, and whether what it feeds is stale: it failed since, or is overdue. */
export async function readFreshness(db: Db, key: WatchKey, staleAfterMs: number): Promise<Fresh> {
  const { asOf, failedAt, errorKind, errorCode } = watchState;
  const isOverdue = sql`coalesce(${asOf} < ${storeTimeBefore(staleAfterMs)}, false)`.mapWith(Boolean);
  const [state] = await db
    .select({ asOf, failedAt, errorKind, errorCode, isOverdue })
    .from(watchState)
    .where(isOf(key));
  if (state === undefined) return { asOf: null, isStale: false, failure: null };
  return {
    asOf: state.asOf?.toISOString() ?? null,
    isStale: state.isOverdue || state.failedAt !== null,
    failure:
      state.failedAt === null
        ? null
        : { kind: state.errorKind ?? "unexpected", code: state.errorCode, since: state.failedAt.toISOString() },
  };
}

/** Since when some watch of the tenant has failed for this reason (ISO); null: none does. */
export async function failingSince(db: Db, tenant: string, code: string): Promise<string | null> {
  const [state] = await db
    .select({ since: min(watchState.failedAt) })
    .from(watchState)
    .where(and(eq(watchState.tenant, tenant), eq(watchState.errorCode, code)));
  return state?.since?.toISOString() ?? null;
}

/** What the watch kept from its last sweep, as it stands in the store; null when it kept nothing yet. */
export async function recall(db: Db, key: WatchKey): Promise<unknown> {
  const [state] = await db.select({ memory: watchState.memory }).from(watchState).where(isOf(key));
  return state?.memory ?? null;
}

/** Keeps something for the watch's next sweep, on whatever instance that is made. */
export async function remember(db: Db, key: WatchKey, memory: Readonly<Record<string, unknown>>): Promise<void> {
  await db
    .insert(watchState)
    .values({ ...key, memory })
    .onConflictDoUpdate({ target: [watchState.tenant, watchState.name], set: { memory } });
}
