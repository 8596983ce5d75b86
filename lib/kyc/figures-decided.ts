import { and, count, eq, gte, isNotNull, sql } from "drizzle-orm";
import { kycCase } from "@/lib/store/schema";
import type { FiguresAt } from "./figures-open";
import { kycEvent } from "./schema";

/** Decisions of our people that the provider confirmed, counted. */
export type Tally = { day: string; by: string | null; decision: string; decisions: number };

export type DecidedFigures = {
  /** Cases that waited for people and were decided. */
  total: number;
  inTime: number;
  /** From when they waited; null without any. */
  medianMs: number | null;
};

/** The first instant of a civil day of São Paulo. */
const startOf = (day: string) => sql`${day}::timestamp at time zone 'America/Sao_Paulo'`;

const decision = sql<string>`${kycEvent.detail} ->> 'decision'`;

/** By civil day, person and outcome, of all these days, the first one first. */
export async function readTallies(
  { store, tenant }: FiguresAt,
  days: readonly [string, ...string[]],
): Promise<Tally[]> {
  // Which of the days, by when each begins: to reckon the civil day of every decision takes longer than all the rest.
  const begun = sql`array[${sql.join(days.map(startOf), sql`, `)}]`;
  const place = sql<number>`width_bucket(${kycEvent.at}, ${begun})`.mapWith(Number);
  const rows = await store
    .select({ place, by: kycEvent.actor, decision, decisions: count() })
    .from(kycEvent)
    .where(and(eq(kycEvent.tenant, tenant), eq(kycEvent.kind, "decided"), gte(kycEvent.at, startOf(days[0]))))
    .groupBy(sql`1, 2, 3`);
  return rows.map(({ place: nth, ...tally }) => ({ day: days[nth - 1] ?? days[0], ...tally }));
}

export async function readDecided({ store, tenant }: FiguresAt, since: string): Promise<DecidedFigures> {
  const took = sql`date_part('epoch', ${kycCase.decidedAt} - ${kycCase.waitingSince})`;
  const [row] = await store
    .select({
      total: count(),
      inTime: sql<number>`count(*) filter (where ${kycCase.decidedAt} <= ${kycCase.dueAt})`.mapWith(Number),
      medianMs: sql<number | null>`percentile_cont(0.5) within group (order by ${took}) * 1000`.mapWith(Number),
    })
    .from(kycCase)
    .where(
      and(
        eq(kycCase.tenant, tenant),
        gte(kycCase.decidedAt, startOf(since)),
        isNotNull(kycCase.waitingSince),
        isNotNull(kycCase.dueAt),
      ),
    );
  return row ?? { total: 0, inTime: 0, medianMs: null };
}
