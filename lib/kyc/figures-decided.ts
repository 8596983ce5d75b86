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

const civilDay = sql<string>`to_char(${kycEvent.at} at time zone 'America/Sao_Paulo', 'YYYY-MM-DD')`;
const decision = sql<string>`${kycEvent.detail} ->> 'decision'`;

/** By civil day, person and outcome, since that day began. */
export async function readTallies({ store, tenant }: FiguresAt, since: string): Promise<Tally[]> {
  return store
    .select({ day: civilDay, by: kycEvent.actor, decision, decisions: count() })
    .from(kycEvent)
    .where(and(eq(kycEvent.tenant, tenant), eq(kycEvent.kind, "decided"), gte(kycEvent.at, startOf(since))))
    .groupBy(sql`1, 2, 3`);
}

export async function readDecided({ store, tenant }: FiguresAt, since: string): Promise<DecidedFigures> {
  const took = sql`extract(epoch from ${kycCase.decidedAt} - ${kycCase.waitingSince})`;
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
