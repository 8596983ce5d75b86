import { and, asc, count, eq, gte, inArray, ne, or, type SQL, sql } from "drizzle-orm";
import type { Actor } from "@/lib/permission/grant";
import { dayAmong, startOfDay, storeNow } from "@/lib/db/clock";
import { kycEvent } from "@/lib/db/tables/kyc";
import type { CaseEventKind } from "@/lib/db/enums/kyc";
import { type Db, db } from "@/lib/db/connection";
import { civilDay, lastDays } from "@/lib/text/time";
import { countDeadlines, type DeadlineCounts } from "./queue-counts";
import { FINAL } from "./case-state";
import { askerOf } from "./queue-filter";

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

type Counting = { store: Db; tenant: string; days: readonly string[]; since: string };

const told = (name: "status" | "from" | "to") => sql<string | null>`${kycEvent.detail} ->> ${name}`;

const isEvent = (kind: CaseEventKind, detail: SQL | undefined) => and(eq(kycEvent.kind, kind), detail);

/** It began to wait for us: new, or once more. */
const ARRIVAL = or(
  isEvent("seen", eq(told("status"), "PENDING")),
  isEvent("moved", and(eq(told("to"), "PENDING"), ne(told("from"), "PENDING"))),
);

const DECISION = isEvent("moved", and(eq(told("from"), "PENDING"), inArray(told("to"), [...FINAL])));

/** By what happened then, whatever became of the case since. */
async function countPerDay({ store, tenant, days, since }: Counting, isIn: SQL | undefined) {
  const rows = await store
    .select({ day: dayAmong(days, kycEvent.at), events: count() })
    .from(kycEvent)
    .where(and(eq(kycEvent.tenant, tenant), gte(kycEvent.at, startOfDay(since)), isIn))
    .groupBy(sql`1`);
  return new Map(rows.map((row) => [row.day, row.events]));
}

async function readDays(store: Db, tenant: string): Promise<Workload["days"]> {
  const firstDay = await readFirstDay(store, tenant);
  const days = lastDays(DAYS, await storeNow(store)).filter((day) => firstDay !== null && day > firstDay);
  if (days[0] === undefined) return [];
  const counting = { store, tenant, days, since: days[0] };
  const [arrived, decided] = await Promise.all([countPerDay(counting, ARRIVAL), countPerDay(counting, DECISION)]);
  return days.map((day) => ({ day, arrived: arrived.get(day) ?? 0, decided: decided.get(day) ?? 0 }));
}

export async function readWorkload(actor: Actor<"kyc:read">): Promise<Workload> {
  const store = await db();
  const asker = await askerOf(store, actor);
  const [days, deadlines] = await Promise.all([readDays(store, actor.tenant), countDeadlines(store, asker)]);
  return { days, deadlines };
}
