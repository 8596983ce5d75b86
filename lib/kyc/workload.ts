import { and, asc, eq, gte, inArray, sql } from "drizzle-orm";
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

/** What a case was after each event that says so: by the provider, or by a decision of our own. */
const STATUS_AFTER: Partial<Record<CaseEventKind, string>> = { seen: "status", moved: "to", decided: "decision" };
const SPEAKING = Object.keys(STATUS_AFTER);

export const statusAfter = sql<string | null>`${kycEvent.detail} ->> (case ${sql.join(
  Object.entries(STATUS_AFTER).map(([kind, name]) => sql`when ${kycEvent.kind} = ${kind} then ${name}`),
  sql` `,
)} end)`;

type DayCounts = { arrived: number; decided: number };

/** By what happened then, whatever became of the case since, and whoever decided it: here or elsewhere, an overruling too, each time once. */
async function countPerDay({ store, tenant, days, since }: Counting): Promise<Map<string | null, DayCounts>> {
  const isSpeaking = and(eq(kycEvent.tenant, tenant), inArray(sql`${kycEvent.kind}`, SPEAKING));
  const touched = store
    .select({ kycUUID: kycEvent.kycUUID })
    .from(kycEvent)
    .where(and(isSpeaking, gte(kycEvent.at, startOfDay(since))));
  const history = store
    .select({
      at: kycEvent.at,
      isOurs: sql<boolean>`${kycEvent.kind} = 'decided'`.as("is_ours"),
      after: statusAfter.as("after"),
      before: sql<
        string | null
      >`lag(${statusAfter}) over (partition by ${kycEvent.kycUUID} order by ${kycEvent.id})`.as("before"),
    })
    .from(kycEvent)
    .where(and(isSpeaking, inArray(kycEvent.kycUUID, touched)))
    .as("history");
  const began = sql`${history.after} = 'PENDING' and ${history.before} is distinct from 'PENDING'`;
  const decidedOver = inArray(history.before, ["PENDING", ...FINAL]);
  const ended = sql`${inArray(history.after, [...FINAL])} and ${history.before} is distinct from ${history.after}
    and (${history.isOurs} or ${decidedOver})`;
  const rows = await store
    .select({
      day: dayAmong(days, history.at),
      arrived: sql<number>`count(*) filter (where ${began})`.mapWith(Number),
      decided: sql<number>`count(*) filter (where ${ended})`.mapWith(Number),
    })
    .from(history)
    .where(gte(history.at, startOfDay(since)))
    .groupBy(sql`1`);
  return new Map(rows.map(({ day, ...counts }) => [day, counts]));
}

async function readDays(store: Db, tenant: string): Promise<Workload["days"]> {
  const firstDay = await readFirstDay(store, tenant);
  const days = lastDays(DAYS, await storeNow(store)).filter((day) => firstDay !== null && day > firstDay);
  if (days[0] === undefined) return [];
  const counting = { store, tenant, days, since: days[0] };
  const counts = await countPerDay(counting);
  return days.map((day) => ({ day, ...(counts.get(day) ?? { arrived: 0, decided: 0 }) }));
}

export async function readWorkload(actor: Actor<"kyc:read">): Promise<Workload> {
  const store = await db();
  const asker = await askerOf(store, actor);
  const [days, deadlines] = await Promise.all([readDays(store, actor.tenant), countDeadlines(store, asker)]);
  return { days, deadlines };
}
