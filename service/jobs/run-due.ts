import { and, asc, eq, inArray, lte, min } from "drizzle-orm";
import { instant } from "@/service/clock";
import type { Service } from "@/service/context";
import { savepoint, transaction, type Tx } from "@/service/store/transaction";
import { job } from "@/service/store/schema";
import type { Alarm } from "./alarm";

/** In the transaction that removes the plan. */
export type JobKind = { kind: string; run: (service: Service, tx: Tx, subject: string) => Promise<void> };

type Planned = { kind: string; subject: string; delayMs: number };

/** In the caller's transaction. */
export async function schedule(service: Service, tx: Tx, { kind, subject, delayMs }: Planned): Promise<void> {
  const dueAtMs = service.clock.now() + delayMs;
  await tx.insert(job).values({ kind, subject, dueAt: new Date(dueAtMs) });
  service.alarm.ring(dueAtMs);
}

/** Not running work, for which waiting here would deadlock: it finds nothing left to do. */
export async function cancelScheduled(tx: Tx, kind: string, subject: string): Promise<void> {
  const notBegun = tx
    .select({ id: job.id })
    .from(job)
    .where(and(eq(job.kind, kind), eq(job.subject, subject)))
    .for("update", { skipLocked: true });
  await tx.delete(job).where(inArray(job.id, notBegun));
}

/** Without an alarm: for other writers, retries and a moved clock. */
const POLL_INTERVAL_MS = 1_000;

export type Scheduler = { stop: () => Promise<void> };

/** `nextDueAt`: null without any. */
type Agenda = { alarm: Alarm; runDue: () => Promise<void>; nextDueAt: () => Promise<number | null> };

/** `stop` waits for the current work. */
export function startScheduler({ clock, log }: Service, { alarm, runDue, nextDueAt }: Agenda): Scheduler {
  let timer: NodeJS.Timeout | undefined;
  let wakesAtMs = Infinity;
  let isStopped = false;
  let work = Promise.resolve();

  const wake = (atMs: number): void => {
    if (isStopped || atMs >= wakesAtMs) return;
    clearTimeout(timer);
    wakesAtMs = atMs;
    timer = setTimeout(turn, Math.max(0, atMs - clock.now()));
  };
  const poll = async (): Promise<void> => {
    await runDue();
    wake((await nextDueAt()) ?? Infinity);
  };
  function turn(): void {
    wakesAtMs = Infinity;
    work = poll().catch((error: unknown) => log.error({ err: error }, "the planned work could not be looked at"));
    wake(clock.now() + POLL_INTERVAL_MS);
  }

  alarm.onRing(wake);
  turn();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await work;
    },
  };
}

const RETRY_AFTER_MS = 1_000;
const RETRY_AFTER_AT_MOST_MS = 60_000;

async function runNext(service: Service, kinds: ReadonlyMap<string, JobKind>): Promise<boolean> {
  return transaction(service.db, async (tx) => {
    const [due] = await tx
      .select()
      .from(job)
      .where(lte(job.dueAt, instant(service.clock)))
      .orderBy(asc(job.dueAt), asc(job.id))
      .limit(1)
      .for("update", { skipLocked: true });
    if (!due) return false;
    await tx.delete(job).where(eq(job.id, due.id));
    const run = kinds.get(due.kind)?.run ?? (() => Promise.reject(new Error("nothing does this kind of work")));
    await savepoint(tx, (attempt) => run(service, attempt, due.subject)).catch(async (error: unknown) => {
      service.log.error({ err: error, kind: due.kind, attempts: due.attempts + 1 }, "planned work failed");
      const delayMs = Math.min(RETRY_AFTER_MS * 2 ** due.attempts, RETRY_AFTER_AT_MOST_MS);
      const dueAt = new Date(service.clock.now() + delayMs);
      await tx.insert(job).values({ kind: due.kind, subject: due.subject, attempts: due.attempts + 1, dueAt });
    });
    return true;
  });
}

/** Oldest first, including work that it plans. */
export async function runDueJobs(service: Service, kinds: ReadonlyMap<string, JobKind>): Promise<void> {
  while (await runNext(service, kinds));
}

export async function nextJobDueAt(service: Service): Promise<number | null> {
  const [row] = await service.db.select({ at: min(job.dueAt) }).from(job);
  return row?.at?.getTime() ?? null;
}
