import { and, asc, count, desc, eq, exists, gt, min, ne, or, sql } from "drizzle-orm";
import { z } from "zod";
import { unsignedRows } from "@/lib/audit-trail/commands";
import { readSigned } from "@/lib/audit-trail/watch";
import { readHead } from "@/lib/audit/chain";
import { storeNow } from "@/lib/db/clock";
import type { Db } from "@/lib/db/connection";
import { lastAnswer } from "@/lib/db/provider-silence";
import { auditEvent } from "@/lib/db/tables/audit";
import { providerCall, providerIntent } from "@/lib/db/tables/provider";
import { watchState } from "@/lib/db/tables/watch";
import { listWatches, recall } from "@/lib/db/watch-state";
import { watchId } from "@/lib/permission/watches";
import { standing } from "@/lib/provider/client";
import { heldUntil, isAbandoned, isUnanswered } from "@/lib/provider/intents/intent-record";
import { TOKEN_PATH } from "@/lib/provider/token-request";
import { env } from "@/lib/settings/env";
import { databaseProbe } from "./database";
import { BOUNDS } from "./verdict";
import type { HealthReading } from "./view";

const Instant = z.iso.datetime().nullable().catch(null).default(null);

const Seen = z.object({
  fullSince: Instant,
  slowSince: Instant,
  certificate: z.object({ endsAt: Instant, lookedAt: Instant }).nullable().catch(null).default(null),
});
/** What the health watch saw from sweep to sweep, which no row tells. */
export type Seen = z.infer<typeof Seen>;

export const HEALTH_WATCH = "health";

export async function readSeen(store: Db, tenant: string): Promise<Seen> {
  const empty = { fullSince: null, slowSince: null, certificate: null };
  return Seen.catch(empty).parse(await recall(store, { tenant, name: HEALTH_WATCH }));
}

const iso = (at: Date | null | undefined) => at?.toISOString() ?? null;

// `clock_timestamp` would use no index.
const aDayAgo = sql`statement_timestamp() - interval '1 day'`;

/** Those that asked the provider within a day; one look into an index for each. */
async function listAsking(store: Db, tenant: string): Promise<ReadonlySet<string>> {
  const { name } = watchState;
  const { actor, at } = providerCall;
  const isIts = and(eq(providerCall.tenant, tenant), eq(actor, sql`'watch:' || ${name}`), gt(at, aDayAgo));
  const asked = exists(store.select({ at }).from(providerCall).where(isIts));
  const rows = await store
    .select({ name })
    .from(watchState)
    .where(and(eq(watchState.tenant, tenant), asked));
  return new Set(rows.map((row) => row.name));
}

async function readWatches(store: Db, tenant: string): Promise<HealthReading["watches"]> {
  const rows = await listWatches(store, tenant);
  const asking = await listAsking(store, tenant);
  return rows.map(({ begunAt, asOf, runsSince, failedAt, errorKind, errorCode, ...watch }) => ({
    ...watch,
    asks: asking.has(watch.name),
    begunAt: iso(begunAt),
    asOf: iso(asOf),
    runsSince: iso(runsSince),
    failure: failedAt === null ? null : { since: failedAt.toISOString(), kind: errorKind, code: errorCode },
  }));
}

async function readProvider(store: Db, tenant: string): Promise<HealthReading["provider"]> {
  const { at, status } = providerCall;
  const recent = and(eq(providerCall.tenant, tenant), gt(at, aDayAgo));
  const answered = await lastAnswer(store, tenant);
  const hasNoAnswer = sql`(${status} is null or ${status} >= 500)`;
  const [silent] = await store
    .select({ since: min(at), unanswered: count() })
    .from(providerCall)
    .where(and(recent, hasNoAnswer, answered === null ? undefined : gt(at, answered.at)));
  return {
    answeredAt: iso(answered?.endedAt),
    silentSince: iso(silent?.since),
    unanswered: silent?.unanswered ?? 0,
  };
}

async function readToken(store: Db, tenant: string): Promise<HealthReading["token"]> {
  const { at, kind, code, path } = providerCall;
  const asked = and(eq(providerCall.tenant, tenant), eq(path, TOKEN_PATH), gt(at, aDayAgo));
  const [granted] = await store
    .select({ at })
    .from(providerCall)
    .where(and(asked, eq(kind, "ok")))
    .orderBy(desc(at))
    .limit(1);
  const inVain = and(asked, ne(kind, "ok"), granted && gt(at, granted.at));
  const [first] = await store.select({ at }).from(providerCall).where(inVain).orderBy(asc(at)).limit(1);
  const [last] = await store.select({ code }).from(providerCall).where(inVain).orderBy(desc(at)).limit(1);
  return { grantedAt: iso(granted?.at), failingSince: iso(first?.at), code: last?.code ?? null };
}

/** Sent and without a known outcome: also a hold past its deadline, and what its sender left. Metrics count the same. */
export async function readWrites(store: Db, tenant: string): Promise<HealthReading["writes"]> {
  const { firstSentAt, createdAt } = providerIntent;
  const wasAbandoned = isAbandoned(env().databaseUrl === null);
  const openSince = sql`coalesce(${heldUntil}, ${firstSentAt}, ${createdAt})`;
  const [found] = await store
    .select({
      open: count(),
      oldestAt: sql<Date | null>`min(${openSince})`.mapWith(createdAt),
    })
    .from(providerIntent)
    .where(and(eq(providerIntent.tenant, tenant), or(isUnanswered, wasAbandoned)));
  return { open: found?.open ?? 0, oldestAt: iso(found?.oldestAt) };
}

/** The last head as the process that signs noted it: another one does not see its folder. Metrics read the same. */
export async function readAuditHead(store: Db, tenant: string): Promise<HealthReading["auditHead"]> {
  const newest = await readSigned(store, tenant);
  const unsigned = await unsignedRows(store, { tenant, newest, upTo: await readHead(store, tenant) });
  return { signedAt: newest?.at ?? null, unsigned: unsigned?.rows ?? 0, unsignedSince: unsigned?.since ?? null };
}

const SIGNATURE = sql`coalesce((${auditEvent.detail}->>'signature')::int, 0)`;

async function readDeliveries(store: Db, tenant: string): Promise<HealthReading["deliveries"]> {
  const { at, code, actor, detail } = auditEvent;
  const within = sql`${at} > statement_timestamp() - ${BOUNDS.deliveries.withinMs} * interval '1 millisecond'`;
  const counts = sql`(select sum(value::int) from jsonb_each_text(${detail}) where key <> 'lastAt')`;
  const [refused] = await store
    .select({
      wrong: sql<number>`coalesce(sum(${SIGNATURE}) filter (where ${within}), 0)`.mapWith(Number),
      wrongSince: sql<Date | null>`min(${at}) filter (where ${within} and ${SIGNATURE} > 0)`.mapWith(at),
      refused: sql<number>`coalesce(sum(${counts}), 0)`.mapWith(Number),
    })
    .from(auditEvent)
    .where(
      and(eq(auditEvent.tenant, tenant), eq(code, "webhooks.refuse"), eq(actor, watchId("webhooks")), gt(at, aDayAgo)),
    );
  const { wrong = 0, wrongSince, refused: inAll = 0 } = refused ?? {};
  return { wrong, withinMs: BOUNDS.deliveries.withinMs, wrongSince: iso(wrongSince), refused: inAll };
}

async function readDatabase(store: Db) {
  const askedAtMs = performance.now();
  const at = await storeNow(store);
  const answeredInMs = Math.round(performance.now() - askedAtMs);
  const kind = env().databaseUrl === null ? ("embedded" as const) : ("postgresql" as const);
  return { at: at.toISOString(), database: { kind, answeredInMs, silence: databaseProbe().silence() } };
}

/** `lanes` are of this process, everything else of all. Asks the provider nothing. */
export async function readHealth(store: Db, tenant: string) {
  const { at, database } = await readDatabase(store);
  const { use, lanes } = await standing(tenant);
  const { fullSince, slowSince, certificate } = await readSeen(store, tenant);
  const { used, limit, configured, pausedUntil } = use;
  const reading: HealthReading = {
    at,
    watches: await readWatches(store, tenant),
    provider: await readProvider(store, tenant),
    token: await readToken(store, tenant),
    budget: { used, limit, configured, pausedUntil: iso(pausedUntil), fullSince },
    database: { ...database, slowSince },
    writes: await readWrites(store, tenant),
    auditHead: await readAuditHead(store, tenant),
    deliveries: await readDeliveries(store, tenant),
    certificate: env().publicUrl.protocol === "https:" ? (certificate ?? { endsAt: null, lookedAt: null }) : null,
  };
  return { reading, lanes };
}
