import { and, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { Db } from "./connection";
import { providerCall } from "./tables/provider";

type Since = () => string | null;

declare global {
  var retaguardaSilence: Map<string, Since> | undefined;
}

const followed = () => (globalThis.retaguardaSilence ??= new Map<string, Since>());

export const followSilence = (tenant: string, since: Since): void => void followed().set(tenant, since);

/** When the last valid answer came (a 5xx is none), else the first failure, while no call for the lists of a tenant is answered. */
export const silentSince = (tenant: string): string | null => followed().get(tenant)?.() ?? null;

// `clock_timestamp` would use no index.
const aDayAgo = sql`statement_timestamp() - interval '1 day'`;

/** The newest call of the last day that had a valid answer, by the log of every process: when it began and ended. */
export async function lastAnswer(store: Db, tenant: string): Promise<{ at: Date; endedAt: Date } | null> {
  const { at, status, durationMs } = providerCall;
  const endedAt = sql<Date>`${at} + ${durationMs} * interval '1 millisecond'`.mapWith(at);
  const [answered] = await store
    .select({ at, endedAt })
    .from(providerCall)
    .where(and(eq(providerCall.tenant, tenant), gt(at, aDayAgo), lt(status, 500)))
    .orderBy(desc(at))
    .limit(1);
  return answered ?? null;
}

/** Our own rows that the provider moves on are as old as its last answer, which never goes back as a silence begins. */
export async function followedUntil(store: Db, tenant: string, read: Date): Promise<string> {
  const until = (await lastAnswer(store, tenant))?.at.toISOString() ?? silentSince(tenant);
  const at = read.toISOString();
  return until !== null && until < at ? until : at;
}
