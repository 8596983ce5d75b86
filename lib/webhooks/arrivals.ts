import { and, desc, eq, gt, max, sql } from "drizzle-orm";
import { z } from "zod";
import { parseJson } from "@/lib/contract/json";
import { TextOrEmpty } from "@/lib/contract/shared";
import { WEBHOOK_EVENTS } from "@/lib/contract/webhook-events";
import type { Db } from "@/lib/db/connection";
import { unseal, unsealedOrNull } from "@/lib/db/seal";
import { expectedEvent, webhookEvent } from "@/lib/db/tables/webhooks";
import { freshness } from "@/lib/db/watch-state";
import { env } from "@/lib/settings/env";
import { jsonOrUndefined } from "@/lib/text/decode";
import { instantOf } from "@/lib/text/read-time";
import { EXPECTED_WATCH, readCoverage } from "./expected-sweep";
import type { ArrivalRow, Arrivals, ArrivalStanding, Verified } from "./missing-view";

const MOST_TYPES = 50;
const MEASURED = 20;

const aWeekAgo = sql`statement_timestamp() - interval '7 days'`;

/** Not acted upon: given up, another company's, or another content under its id. */
const hasFailed = sql`${webhookEvent.state} in ('GIVEN_UP', 'FOREIGN') or ${webhookEvent.otherBodies} > 0`;

async function countReceived(store: Db, tenant: string) {
  const { event, receivedAt } = webhookEvent;
  return store
    .select({
      event,
      lastAt: max(receivedAt),
      received: sql`count(*) filter (where ${receivedAt} > ${aWeekAgo})`.mapWith(Number),
      failed: sql`count(*) filter (where ${receivedAt} > ${aWeekAgo} and (${hasFailed}))`.mapWith(Number),
    })
    .from(webhookEvent)
    .where(eq(webhookEvent.tenant, tenant))
    .groupBy(event)
    .orderBy(desc(max(receivedAt)))
    .limit(MOST_TYPES);
}

async function countMissed(store: Db, tenant: string): Promise<Map<string, number>> {
  const { event, state, seenAt } = expectedEvent;
  const isMissed = and(eq(expectedEvent.tenant, tenant), eq(state, "NEVER"), gt(seenAt, aWeekAgo));
  const missed = sql`count(*)`.mapWith(Number);
  const rows = await store.select({ event, missed }).from(expectedEvent).where(isMissed).groupBy(event);
  return new Map(rows.map((row) => [row.event, row.missed]));
}

const Sent = z.looseObject({ when: TextOrEmpty }).catch({ when: "" });

/** The interface has answers tell `when` they were given, in milliseconds; of an event it shows nothing. */
function sentAt(payload: unknown): Date | null {
  const { when } = Sent.parse(payload);
  return /^\d{12,14}$/.test(when) ? new Date(Number(when)) : instantOf(when);
}

const medianOf = (sorted: readonly number[]): number | null => sorted[Math.floor(sorted.length / 2)] ?? null;

async function measureLatency(store: Db, tenant: string, event: string): Promise<number | null> {
  const { id, bodySealed, receivedAt } = webhookEvent;
  const rows = await store
    .select({ id, bodySealed, receivedAt })
    .from(webhookEvent)
    .where(and(eq(webhookEvent.tenant, tenant), eq(webhookEvent.event, event)))
    .orderBy(desc(webhookEvent.seq))
    .limit(MEASURED);
  const took = rows.flatMap((row) => {
    const body = unsealedOrNull(() =>
      unseal(row.bodySealed, { column: "webhook_event.body_sealed", row: [tenant, row.id] }),
    );
    const sent = sentAt(jsonOrUndefined(body ?? "", parseJson));
    return sent === null ? [] : [Math.max(0, row.receivedAt.getTime() - sent.getTime())];
  });
  return medianOf(took.toSorted((one, other) => one - other));
}

type Counted = Omit<ArrivalRow, "standing">;

function standingOf({ received, missed, subscribedSince }: Counted, isRead: boolean): ArrivalStanding {
  if (!isRead) return "unknown";
  if (subscribedSince === null) return received > 0 ? "unsubscribed" : "absent";
  if (received > 0) return "arriving";
  return missed > 0 ? "silent" : "quiet";
}

async function readVerified(store: Db, tenant: string): Promise<Verified> {
  const { isByPreviousSecret, receivedAt } = webhookEvent;
  const rows = await store
    .select({ isByPreviousSecret, at: max(receivedAt) })
    .from(webhookEvent)
    .where(eq(webhookEvent.tenant, tenant))
    .groupBy(isByPreviousSecret);
  const at = (isByPrevious: boolean) =>
    rows.find((row) => row.isByPreviousSecret === isByPrevious)?.at?.toISOString() ?? null;
  const hasPrevious = env().readSecrets(tenant).webhookSecrets.length > 1;
  return { current: at(false), previous: at(true), hasPrevious };
}

/** Types that our subscriptions cover beside those that arrive, in the interface's order and then as they came. */
export async function readArrivals(store: Db, tenant: string): Promise<Arrivals> {
  const asOf = new Date().toISOString();
  const { covered, readAt } = await readCoverage(store, tenant);
  const received = await countReceived(store, tenant);
  const missed = await countMissed(store, tenant);
  const names = new Set<string>([...WEBHOOK_EVENTS, ...Object.keys(covered), ...received.map(({ event }) => event)]);
  const rows: ArrivalRow[] = [];
  for (const event of names) {
    const of = received.find((one) => one.event === event);
    const counted: Counted = {
      event,
      subscribedSince: covered[event] ?? null,
      lastAt: of?.lastAt?.toISOString() ?? null,
      received: of?.received ?? 0,
      failed: of?.failed ?? 0,
      missed: missed.get(event) ?? 0,
      latencyMs: of === undefined ? null : await measureLatency(store, tenant, event),
    };
    rows.push({ ...counted, standing: standingOf(counted, readAt !== null) });
  }
  const { isStale, failure } = await freshness(tenant, EXPECTED_WATCH);
  const told = { rows, verified: await readVerified(store, tenant), readAt, isLate: isStale || failure !== null };
  return { ...told, asOf, isStale: false, failure: null };
}
