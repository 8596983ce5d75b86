import { and, eq, inArray } from "drizzle-orm";
import type { Service } from "@/service/context";
import type { Tx } from "@/service/store/db";
import { job } from "./schema";

type Planned = { kind: string; subject: string; delayMs: number };

/** Plans work for later, in the caller's transaction; the job of that kind then runs with `subject`. */
export async function schedule(service: Service, tx: Tx, { kind, subject, delayMs }: Planned): Promise<void> {
  const dueAtMs = service.clock.now() + delayMs;
  await tx.insert(job).values({ kind, subject, dueAt: new Date(dueAtMs) });
  service.alarm.ring(dueAtMs);
}

/**
 * Forgets the work of that kind planned for `subject`. Work that has already begun is left alone, for waiting for it while
 * holding what it waits for would be a deadlock: it must find for itself that there is nothing left to do.
 */
export async function cancelScheduled(tx: Tx, kind: string, subject: string): Promise<void> {
  const notBegun = tx
    .select({ id: job.id })
    .from(job)
    .where(and(eq(job.kind, kind), eq(job.subject, subject)))
    .for("update", { skipLocked: true });
  await tx.delete(job).where(inArray(job.id, notBegun));
}
