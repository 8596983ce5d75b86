import { and, count, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { kycCase } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";

/** From so many hours on, each class up to the next one. */
export const AGE_CLASSES = [0, 4, 24, 72, 168] as const;
type AgeClass = (typeof AGE_CLASSES)[number];

export type OpenFigures = {
  open: number;
  /** Open and waiting for our people. */
  waiting: number;
  /** Due before long, and not late. */
  due: number;
  late: number;
  /** How long the open ones have been here; null without any. */
  medianAgeMs: number | null;
  ages: { fromHours: AgeClass; open: number }[];
};

/** What somebody holds. */
export type Held = { open: number; late: number };

/** Figures of one tenant as they are at `now`, by the store's clock. */
export type FiguresAt = { store: Db; tenant: string; now: Date };

const HOUR_MS = 3_600_000;

const instant = (at: Date) => sql`${at.toISOString()}::timestamptz`;
const counted = (condition: SQL) => sql<number>`count(*) filter (where ${condition})`.mapWith(Number);

// Word for word as in the schema: the index of what is open holds all that is asked here. Of the open ones those that wait for our people have a deadline.
const isOpen = sql.raw("status not in ('APPROVED', 'REPROVED')");
const isLate = (now: Date) => sql`${kycCase.dueAt} < ${instant(now)}`;

export async function readOpen({ store, tenant, now }: FiguresAt, dueSoonHours: number): Promise<OpenFigures> {
  const soon = instant(new Date(now.getTime() + dueSoonHours * HOUR_MS));
  const age = sql`date_part('epoch', ${instant(now)} - ${kycCase.firstSeenAt})`;
  const olderThan = (hours: number) =>
    counted(sql`${kycCase.firstSeenAt} <= ${instant(new Date(now.getTime() - hours * HOUR_MS))}`);
  const [, four, day, days, week] = AGE_CLASSES;
  const [row] = await store
    .select({
      open: count(),
      waiting: count(kycCase.dueAt),
      due: counted(sql`${kycCase.dueAt} between ${instant(now)} and ${soon}`),
      late: counted(isLate(now)),
      medianAgeMs: sql<number | null>`percentile_cont(0.5) within group (order by ${age}) * 1000`.mapWith(Number),
      fromFour: olderThan(four),
      fromDay: olderThan(day),
      fromDays: olderThan(days),
      fromWeek: olderThan(week),
    })
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), isOpen));
  const { open = 0, waiting = 0, due = 0, late = 0, medianAgeMs = null } = row ?? {};
  const older = [open, row?.fromFour ?? 0, row?.fromDay ?? 0, row?.fromDays ?? 0, row?.fromWeek ?? 0];
  const ages = AGE_CLASSES.map((fromHours, place) => ({
    fromHours,
    open: (older[place] ?? 0) - (older[place + 1] ?? 0),
  }));
  return { open, waiting, due, late, medianAgeMs, ages };
}

/** Of each person the open cases that are theirs. */
export async function readHeld({ store, tenant, now }: FiguresAt): Promise<Map<string, Held>> {
  const rows = await store
    .select({ id: kycCase.assigneeId, open: count(), late: counted(isLate(now)) })
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), isNotNull(kycCase.assigneeId), isOpen))
    .groupBy(kycCase.assigneeId);
  return new Map(rows.flatMap(({ id, ...held }) => (id === null ? [] : [[id, held] as const])));
}
