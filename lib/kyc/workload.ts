import { and, asc, count, eq, gte, isNotNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Actor } from "@/lib/permission/grant";
import { dayAmong, startOfDay, storeNow } from "@/lib/db/clock";
import { kycCase, kycEvent } from "@/lib/db/tables/kyc";
import { type Db, db } from "@/lib/db/connection";
import { civilDay, lastDays } from "@/lib/text/time";
import { countDeadlines, type DeadlineCounts } from "./queue-counts";
import { askerOf, WAITING } from "./queue-filter";

const DAYS = 14;

export type Workload = {
  /** Oldest first, from the day after the list was first read, as its first cases came at unknown times. */
  days: { day: string; arrived: number; decided: number }[];
  deadlines: DeadlineCounts;
};

async function readFirstDay(store: Db, tenant: string): Promise<string | null> {
  const [first] = await store
    .select({ at: kycEvent.at })
    .from(kycEvent)
    .where(and(eq(kycEvent.tenant, tenant), eq(kycEvent.kind, "seen")))
    .orderBy(asc(kycEvent.at))
    .limit(1);
  return first === undefined ? null : civilDay(first.at);
}

type Counting = { store: Db; tenant: string; days: readonly string[] };

async function countPerDay({ store, tenant, days }: Counting, at: PgColumn, isIn: SQL | undefined) {
  const day = dayAmong(days, at);
  const rows = await store
    .select({ day, cases: count() })
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), isIn))
    .groupBy(sql`1`);
  return new Map(rows.map((row) => [row.day, row.cases]));
}

async function readDays(store: Db, tenant: string): Promise<Workload["days"]> {
  const firstDay = await readFirstDay(store, tenant);
  const days = lastDays(DAYS, await storeNow(store)).filter((day) => firstDay !== null && day > firstDay);
  if (days[0] === undefined) return [];
  const since = startOfDay(days[0]);
  const { waitingSince, decidedAt } = kycCase;
  const counting = { store, tenant, days };
  const [arrived, decided] = await Promise.all([
    countPerDay(counting, waitingSince, and(sql`${WAITING} >= ${since}`, sql`${WAITING} < 'infinity'`)),
    countPerDay(counting, decidedAt, and(gte(decidedAt, since), isNotNull(waitingSince))),
  ]);
  return days.map((day) => ({ day, arrived: arrived.get(day) ?? 0, decided: decided.get(day) ?? 0 }));
}

export async function readWorkload(actor: Actor<"kyc:read">): Promise<Workload> {
  const store = await db();
  const asker = await askerOf(store, actor);
  const [days, deadlines] = await Promise.all([readDays(store, actor.tenant), countDeadlines(store, asker)]);
  return { days, deadlines };
}
