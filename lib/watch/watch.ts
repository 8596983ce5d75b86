import type { WatchName } from "@/lib/permission/watches";
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "@/lib/errors/app-error";
import { env } from "@/lib/settings/env";
import { publish } from "@/lib/db/publish";
import type { Topic } from "@/lib/permission/topics";
import { log } from "@/lib/log/log";
import { noteSweep } from "@/lib/metrics/note";
import { asWork } from "@/lib/log/work";
import { withoutParameters } from "@/lib/db/error";
import { instanceId, releaseLease, takeLease } from "@/lib/db/lease";
import { type Db, db } from "@/lib/db/connection";
import { beginSweep, endSweep, failSweep, makeDue, planWatches, untilDueMs } from "@/lib/db/watch-state";

export type Watch = {
  name: WatchName;
  /** "unfinished": the next sweep starts at once. */
  sweep: (tenant: string) => Promise<"done" | "unfinished" | void>;
  topic?: Topic;
  /** Between the starts of two sweeps; by default the setting's. */
  intervalMs?: number;
};

type WatchDeps = {
  holder: string;
  every: (ms: number, beat: () => void) => () => void;
};

/** After its end another instance takes over. */
const LEASE_MS = 30_000;
const POLL_INTERVAL_MS = 5_000;
const HEARTBEAT_MS = 10_000;

const STOP_WITHIN_MS = 5_000;

const leaseOf = (tenant: string, name: string) => `watch:${tenant}:${name}`;
export const intervalOf = (watch: Watch): number => watch.intervalMs ?? env().watchIntervalMs;

function everyInterval(ms: number, beat: () => void): () => void {
  const timer = setInterval(beat, ms).unref();
  return () => clearInterval(timer);
}

/** Never throws: the next round retries. */
async function sweepAndNote(store: Db, watch: Watch, { tenant, begunAt }: { tenant: string; begunAt: Date }) {
  const key = { tenant, name: watch.name };
  const { topic } = watch;
  const startedAtMs = performance.now();
  const note = (outcome: string) => noteSweep({ tenant, watch: watch.name, outcome }, performance.now() - startedAtMs);
  try {
    const end = await asWork(watch.name, () => watch.sweep(tenant));
    await store.transaction(async (tx) => {
      const isNews = await endSweep(tx, key, begunAt);
      if (topic !== undefined && isNews) await publish(tx, { tenant, topic });
    });
    if (end === "unfinished") await makeDue(store, key);
    note("ok");
  } catch (error) {
    const isBank = error instanceof AppError;
    const failure = isBank ? { kind: error.kind, code: error.details.code ?? null } : { kind: null, code: null };
    const err = isBank ? error.message : withoutParameters(error);
    note(failure.kind ?? "unexpected");
    log.warn({ watch: watch.name, tenant, errorKind: failure.kind ?? "unexpected", err }, "sweep failed");
    await store.transaction(async (tx) => {
      const isNews = await failSweep(tx, key, failure);
      if (topic !== undefined && isNews) await publish(tx, { tenant, topic });
    });
  }
}

export async function sweepOnce(watch: Watch, tenant: string): Promise<void> {
  const store = await db();
  const begunAt = await beginSweep(store, { tenant, name: watch.name }, 0);
  if (begunAt !== null) await sweepAndNote(store, watch, { tenant, begunAt });
}

/** Sweeps when due and no other instance does. The schedule is in the store. Returns the milliseconds until the next turn. */
export async function takeTurn(watch: Watch, tenant: string, deps: Partial<WatchDeps> = {}): Promise<number> {
  const { holder = instanceId(), every = everyInterval } = deps;
  const intervalMs = intervalOf(watch);
  const key = { tenant, name: watch.name };
  const held = { name: leaseOf(tenant, watch.name), ttlMs: LEASE_MS, holder };
  const store = await db();
  const waitMs = await untilDueMs(store, key, intervalMs);
  if (waitMs > 0) return waitMs;
  if (!(await takeLease(store, held))) return Math.min(POLL_INTERVAL_MS, intervalMs);
  const endBeats = every(HEARTBEAT_MS, () => {
    takeLease(store, held).catch((error: unknown) =>
      log.warn({ watch: watch.name, tenant, err: withoutParameters(error) }, "watch could not prolong its lease"),
    );
  });
  try {
    // Another instance may have swept between the query and the lease.
    const begunAt = await beginSweep(store, key, intervalMs);
    if (begunAt !== null) await sweepAndNote(store, watch, { tenant, begunAt });
  } finally {
    endBeats();
    await releaseLease(store, held.name, holder);
  }
  return untilDueMs(store, key, intervalMs);
}

declare global {
  var retaguardaNaps: { naps: Map<string, () => void>; missed: Set<string> } | undefined;
}

/** One per process, though Next loads modules several times. */
const sleepers = () => (globalThis.retaguardaNaps ??= { naps: new Map(), missed: new Set() });

async function nap(name: string, ms: number, stopped: AbortSignal): Promise<void> {
  const { naps, missed } = sleepers();
  if (stopped.aborted || missed.delete(name)) return;
  const woken = new AbortController();
  const wake = () => woken.abort();
  naps.set(name, wake);
  stopped.addEventListener("abort", wake);
  await sleep(ms, undefined, { signal: woken.signal, ref: false }).catch(() => undefined);
  stopped.removeEventListener("abort", wake);
  naps.delete(name);
}

/** At once on this instance; on others at their next turn. */
export async function triggerWatch(tenant: string, name: string): Promise<void> {
  await makeDue(await db(), { tenant, name });
  const lease = leaseOf(tenant, name);
  const { naps, missed } = sleepers();
  const wake = naps.get(lease);
  if (wake === undefined) missed.add(lease);
  else wake();
}

async function takeTurns(watch: Watch, tenant: string, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    let waitMs = POLL_INTERVAL_MS;
    try {
      waitMs = await takeTurn(watch, tenant);
    } catch (error) {
      log.error({ watch: watch.name, tenant, err: withoutParameters(error) }, "watch could not take its turn");
    }
    await nap(leaseOf(tenant, watch.name), waitMs, stopped);
  }
}

/** Says in the store which watches run at this tenant, so that every process knows what is owed. */
export async function announceWatches(tenant: string, watches: readonly Watch[]): Promise<void> {
  const planned = watches.map((watch) => ({ name: watch.name, intervalMs: intervalOf(watch) }));
  await planWatches(await db(), tenant, planned);
}

/** Returns how to stop; long sweeps continue without their lease, so that the next instance need not wait. */
export function startWatches(tenant: string, watches: readonly Watch[]): () => Promise<void> {
  const stopped = new AbortController();
  // Node warns of a leak beyond ten listeners.
  setMaxListeners(watches.length, stopped.signal);
  const ended = Promise.all(watches.map((watch) => takeTurns(watch, tenant, stopped.signal)));
  return async () => {
    stopped.abort();
    await Promise.race([ended, sleep(STOP_WITHIN_MS, undefined, { ref: false })]);
    const store = await db();
    for (const { name } of watches) await releaseLease(store, leaseOf(tenant, name));
  };
}
