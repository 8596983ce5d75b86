import { and, eq } from "drizzle-orm";
import type { Service } from "@/service/context";
import { job } from "./schema";
import type { Tx } from "@/service/store/db";

type Planned = { kind: string; subject: string; delayMs: number };

/** Plans work for later, in the caller's transaction; the job of that kind then runs with `subject`. */
export async function schedule(service: Service, tx: Tx, { kind, subject, delayMs }: Planned): Promise<void> {
  const dueAtMs = service.clock.now() + delayMs;
  await tx.insert(job).values({ kind, subject, dueAt: new Date(dueAtMs) });
  service.alarm.ring(dueAtMs);
}

/** Forgets the work of that kind planned for `subject`. */
export async function cancelScheduled(tx: Tx, kind: string, subject: string): Promise<void> {
  await tx.delete(job).where(and(eq(job.kind, kind), eq(job.subject, subject)));
}
