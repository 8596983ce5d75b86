import { and, desc, eq, type SQL, sql, type SQLWrapper } from "drizzle-orm";
import type { Db } from "@/lib/db/connection";
import { auditEvent } from "@/lib/db/tables/audit";
import { expectedEvent, webhookEvent } from "@/lib/db/tables/webhooks";
import { freshness } from "@/lib/db/watch-state";
import { watchId } from "@/lib/permission/watches";
import { env } from "@/lib/settings/env";
import { PAGE_SIZE, pageWindow } from "@/lib/text/page";
import { civilDay, firstOfLastDays } from "@/lib/text/time";
import { EXPECTED_WATCH, readCoverage } from "./expected-sweep";
import type { MissingFilter } from "./inputs";
import { isLossGrave, readLosses } from "./loss";
import { COUNTED_DAYS, type EventDay, LATE_MS, type MissingList, type MissingView } from "./missing-view";
import { refusals } from "./refusals";
import { startOfDay } from "@/lib/db/clock";

const { event, state, seenAt, arrivedAt, eventRef } = expectedEvent;

/** Over `LATE_MS` after its change was read. */
export const isLate = sql`${state} = 'ARRIVED' and ${arrivedAt} > ${seenAt} + ${LATE_MS} * interval '1 millisecond'`;

const VIEWS: Record<MissingView, SQL> = {
  never: sql`${state} = 'NEVER'`,
  late: isLate,
  awaited: sql`${state} = 'EXPECTED'`,
};

const howMany = (where: SQLWrapper) => sql`count(*) filter (where ${where})`.mapWith(Number);

const dayOf = (at: SQLWrapper) => sql<string>`(${at} at time zone 'America/Sao_Paulo')::date::text`;

/** Under its own id again, or the same content under another. */
const cameTwice = sql`exists (select from ${webhookEvent} as came where came.tenant = ${expectedEvent.tenant}
  and came.id = ${eventRef} and (came.arrivals > 1 or exists (select from ${webhookEvent} as other
    where other.tenant = came.tenant and other.body_hash = came.body_hash and other.event = came.event
      and other.id <> came.id)))`;

async function countEvents(store: Db, tenant: string, from: string) {
  const day = dayOf(seenAt);
  return store
    .select({
      day,
      event,
      onTime: howMany(sql`${state} = 'ARRIVED' and not (${isLate})`),
      late: howMany(isLate),
      twice: howMany(cameTwice),
      never: howMany(VIEWS.never),
      awaited: howMany(VIEWS.awaited),
    })
    .from(expectedEvent)
    .where(and(eq(expectedEvent.tenant, tenant), sql`${seenAt} >= ${startOfDay(from)}`))
    .groupBy(sql`1`, event);
}

const BAD = ["signature", "unsigned"] as const;

/** By São Paulo's day: wrongly signed or not signed, with what this process has not put on record yet. */
export async function countBadSignatures(store: Db, tenant: string, from: string): Promise<Map<string, number>> {
  const told = BAD.map((why) => sql`coalesce((${auditEvent.detail}->>${why}::text)::int, 0)`);
  const at = sql`coalesce((${auditEvent.detail}->>'lastAt')::timestamptz, ${auditEvent.at})`;
  const rows = await store
    .select({ day: dayOf(at), bad: sql`sum(${sql.join(told, sql` + `)})`.mapWith(Number) })
    .from(auditEvent)
    .where(
      and(
        eq(auditEvent.tenant, tenant),
        eq(auditEvent.code, "webhooks.refuse"),
        eq(auditEvent.actor, watchId("webhooks")),
        sql`${auditEvent.at} >= ${startOfDay(from)}`,
      ),
    )
    .groupBy(sql`1`);
  const byDay = new Map(rows.filter(({ bad }) => bad > 0).map(({ day, bad }) => [day, bad]));
  const gathered = refusals().gatheredOf(tenant);
  const bad = BAD.reduce((sum, why) => sum + (gathered?.counts[why] ?? 0), 0);
  if (gathered === null || bad === 0) return byDay;
  const today = civilDay(new Date(gathered.lastAt));
  return byDay.set(today, (byDay.get(today) ?? 0) + bad);
}

async function readDays(store: Db, tenant: string): Promise<EventDay[]> {
  const from = firstOfLastDays(COUNTED_DAYS);
  const counted = await countEvents(store, tenant, from);
  const bad = await countBadSignatures(store, tenant, from);
  const days = [...new Set([...counted.map(({ day }) => day), ...bad.keys()])].toSorted().toReversed();
  return days.map((day) => ({
    day,
    events: counted
      .flatMap(({ day: other, ...one }) => (other === day ? [one] : []))
      .toSorted((one, other) => (one.event < other.event ? -1 : 1)),
    badSignature: bad.get(day) ?? 0,
  }));
}

export async function readMissing(
  store: Db,
  tenant: string,
  { view, page: asked }: MissingFilter,
): Promise<MissingList> {
  const isOurs = eq(expectedEvent.tenant, tenant);
  const [counts] = await store
    .select({ never: howMany(VIEWS.never), late: howMany(VIEWS.late), awaited: howMany(VIEWS.awaited) })
    .from(expectedEvent)
    .where(isOurs);
  const known = counts ?? { never: 0, late: 0, awaited: 0 };
  const { page, totalPages, offset } = pageWindow(asked, known[view]);
  const rows = await store
    .select()
    .from(expectedEvent)
    .where(and(isOurs, VIEWS[view]))
    .orderBy(desc(expectedEvent.seq))
    .limit(PAGE_SIZE)
    .offset(offset);
  const losses = await readLosses(store, tenant);
  const { covered } = await readCoverage(store, tenant);
  return {
    ...(await freshness(tenant, EXPECTED_WATCH)),
    rows: rows.map(({ key, event: name, change, object, seenAt: seen, arrivedAt: came }) => ({
      key,
      event: name,
      change,
      object,
      seenAt: seen.toISOString(),
      arrivedAt: came?.toISOString() ?? null,
    })),
    page,
    totalPages,
    total: known[view],
    counts: known,
    days: await readDays(store, tenant),
    losses: { ...losses, isGrave: isLossGrave(losses) },
    graceMs: env().webhookGraceMs,
    coveredSince: Object.values(covered).toSorted()[0] ?? null,
  };
}
