import { asc, eq, lte, min } from "drizzle-orm";
import { instant } from "@/service/clock";
import type { Service } from "@/service/context";
import { savepoint, transaction } from "@/service/store/transaction";
import type { JobKind } from "./job";
import { job } from "./schema";

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

/** Does everything that is due by the service's clock, oldest first, what it leads to included. */
export async function runDue(service: Service, kinds: ReadonlyMap<string, JobKind>): Promise<void> {
  while (await runNext(service, kinds));
}

/** When the next planned work falls due, in epoch milliseconds; null when there is none. */
export async function nextDueAt(service: Service): Promise<number | null> {
  const [row] = await service.db.select({ at: min(job.dueAt) }).from(job);
  return row?.at?.getTime() ?? null;
}
