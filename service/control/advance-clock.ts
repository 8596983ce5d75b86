import { z } from "zod";
import { clockOffset } from "@/service/store/schema";
import { sql } from "drizzle-orm";
import type { Sandbox } from "./sandbox";

const TEN_YEARS_SECONDS = 315_576_000;

/** Body of the control route. */
export const ClockAdvance = z.strictObject({ advanceSeconds: z.number().positive().max(TEN_YEARS_SECONDS) });
export type ClockAdvance = z.infer<typeof ClockAdvance>;

/** Moves the service's clock forward, for good, and does what fell due on the way; deliveries that fell due begin at once. */
export async function advanceClock(sandbox: Sandbox, { advanceSeconds }: ClockAdvance) {
  const { clock, db, outbox, runDue } = sandbox;
  const offsetMs = Math.round(advanceSeconds * 1_000);
  await db
    .insert(clockOffset)
    .values({ id: "clock", offsetMs })
    .onConflictDoUpdate({ target: clockOffset.id, set: { offsetMs: sql`${clockOffset.offsetMs} + ${offsetMs}` } });
  clock.advance(offsetMs);
  await runDue();
  outbox.ring(clock.now());
  return { now: new Date(clock.now()).toISOString() };
}
