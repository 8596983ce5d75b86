import { BankError } from "@/lib/bank/error";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { and, eq } from "drizzle-orm";
import { withoutParameters } from "@/lib/store/error";
import { watchState } from "@/lib/store/schema";
import { db } from "@/lib/store/store";

/** Background polling that feeds the store; `sweep` reads what is due and returns when it is done. */
export type Watch = { name: string; sweep: (tenant: string) => Promise<void> };

/** After three missed rounds what is shown counts as stale. */
const STALE_AFTER_ROUNDS = 3;

async function noteSweep(
  tenant: string,
  name: string,
  outcome: Partial<typeof watchState.$inferInsert>,
): Promise<void> {
  await (
    await db()
  )
    .insert(watchState)
    .values({ tenant, name, ...outcome })
    .onConflictDoUpdate({ target: [watchState.tenant, watchState.name], set: outcome });
}

/** Runs one sweep and notes how it went; a failure is noted, never thrown: the next round tries again. */
export async function sweepOnce(watch: Watch): Promise<void> {
  const tenant = env().tenant.clientId;
  const startedAt = new Date();
  try {
    await watch.sweep(tenant);
    await noteSweep(tenant, watch.name, { asOf: startedAt, failedAt: null, errorKind: null });
  } catch (error) {
    const errorKind = error instanceof BankError ? error.kind : "unavailable";
    log.warn(
      { watch: watch.name, errorKind, err: error instanceof BankError ? error.message : withoutParameters(error) },
      "sweep failed",
    );
    await noteSweep(tenant, watch.name, { failedAt: startedAt, errorKind });
  }
}

/** Starts the watches, each at its own pace and never twice at once; the returned function ends them. */
export function startWatches(watches: readonly Watch[]): () => void {
  const stopped = new AbortController();
  for (const watch of watches) {
    const round = () => {
      if (stopped.signal.aborted) return;
      sweepOnce(watch)
        .catch((error: unknown) =>
          log.error({ watch: watch.name, err: withoutParameters(error) }, "watch could not note its sweep"),
        )
        .finally(() => setTimeout(round, env().watchIntervalMs).unref());
    };
    round();
  }
  return () => stopped.abort();
}

/** When a watch last finished, and whether what it feeds is stale by now. */
export async function freshness(tenant: string, name: string): Promise<{ asOf: string | null; isStale: boolean }> {
  const [state] = await (
    await db()
  )
    .select()
    .from(watchState)
    .where(and(eq(watchState.tenant, tenant), eq(watchState.name, name)));
  const asOf = state?.asOf ?? null;
  const isStale = asOf !== null && Date.now() - asOf.getTime() > STALE_AFTER_ROUNDS * env().watchIntervalMs;
  return { asOf: asOf?.toISOString() ?? null, isStale: isStale || (state?.failedAt ?? null) !== null };
}
