import { and, count, eq, gte, inArray, isNotNull, sql, type SQL } from "drizzle-orm";
import type { Actor } from "@/lib/permission/grant";
import { dayAmong, startOfDay, storeNow } from "@/lib/db/clock";
import { staff } from "@/lib/db/tables/staff";
import { kycCase, kycEvent } from "@/lib/db/tables/kyc";
import { db, type Db } from "@/lib/db/connection";
import type { FigureDays } from "@/lib/text/filter";
import type { Fresh } from "@/lib/text/page";
import { firstOfLastDays, lastDays } from "@/lib/text/time";
import { readAway } from "./assignees";
import { caseRulesOf } from "./case-rules";
import { caseFreshness, readSoFar } from "./queue-counts";
import { FINAL } from "./case-state";
import { OPEN } from "./queue-filter";
import { statusAfter } from "./workload";

type Tally = { day: string; by: string | null; decision: string; decisions: number };

type DecidedFigures = {
  total: number;
  inTime: number;
  medianMs: number | null;
};

const decisionOfEvent = sql<string>`${kycEvent.detail} ->> 'decision'`;

type Period = { since: string; days: readonly string[] };

async function readTallies({ store, tenant }: FiguresAt, { since, days }: Period): Promise<Tally[]> {
  const { at, kind } = kycEvent;
  const rows = await store
    .select({ day: dayAmong(days, at), by: kycEvent.actor, decision: decisionOfEvent, decisions: count() })
    .from(kycEvent)
    .where(and(eq(kycEvent.tenant, tenant), eq(kind, "decided"), gte(at, startOfDay(since))))
    .groupBy(sql`1, 2, 3`);
  return rows.map(({ day, ...tally }) => ({ day: day ?? "", ...tally }));
}

/** The decision that ended the wait: a later one over it leaves it as much in time as it was. */
const firstDecidedAt = sql`least(${kycCase.decidedAt}, (select min(${kycEvent.at}) from ${kycEvent}
  where ${kycEvent.tenant} = ${kycCase.tenant} and ${kycEvent.kycUUID} = ${kycCase.kycUUID}
    and ${kycEvent.at} >= ${kycCase.waitingSince} and ${inArray(statusAfter, [...FINAL])}))`;

async function readDecided({ store, tenant }: FiguresAt, since: string): Promise<DecidedFigures> {
  const decided = store
    .select({
      firstAt: sql`${firstDecidedAt}`.as("first_at"),
      waitingSince: kycCase.waitingSince,
      dueAt: kycCase.dueAt,
    })
    .from(kycCase)
    .where(
      and(
        eq(kycCase.tenant, tenant),
        gte(kycCase.decidedAt, startOfDay(since)),
        isNotNull(kycCase.waitingSince),
        isNotNull(kycCase.dueAt),
      ),
    )
    .as("decided");
  const took = sql`date_part('epoch', ${decided.firstAt} - ${decided.waitingSince})`;
  const [row] = await store
    .select({
      total: count(),
      inTime: sql<number>`count(*) filter (where ${decided.firstAt} <= ${decided.dueAt})`.mapWith(Number),
      medianMs: sql<number | null>`percentile_cont(0.5) within group (order by ${took}) * 1000`.mapWith(Number),
    })
    .from(decided)
    .where(gte(decided.firstAt, startOfDay(since)));
  return row ?? { total: 0, inTime: 0, medianMs: null };
}

const AGE_CLASSES = [0, 4, 24, 72, 168] as const;
type AgeClass = (typeof AGE_CLASSES)[number];

type OpenFigures = {
  open: number;
  waiting: number;
  due: number;
  late: number;
  medianAgeMs: number | null;
  ages: { fromHours: AgeClass; open: number }[];
};

type Caseload = { open: number; late: number };

type FiguresAt = { store: Db; tenant: string; now: Date };

const HOUR_MS = 3_600_000;

const instant = (at: Date) => sql`${at.toISOString()}::timestamptz`;
const counted = (condition: SQL) => sql<number>`count(*) filter (where ${condition})`.mapWith(Number);

const isLate = (now: Date) => sql`${kycCase.dueAt} < ${instant(now)}`;

async function readOpen({ store, tenant, now }: FiguresAt, dueSoonHours: number): Promise<OpenFigures> {
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
    .where(and(eq(kycCase.tenant, tenant), OPEN));
  const { open = 0, waiting = 0, due = 0, late = 0, medianAgeMs = null } = row ?? {};
  const older = [open, row?.fromFour ?? 0, row?.fromDay ?? 0, row?.fromDays ?? 0, row?.fromWeek ?? 0];
  const ages = AGE_CLASSES.map((fromHours, nth) => ({
    fromHours,
    open: (older[nth] ?? 0) - (older[nth + 1] ?? 0),
  }));
  return { open, waiting, due, late, medianAgeMs, ages };
}

async function readCaseloads({ store, tenant, now }: FiguresAt): Promise<Map<string, Caseload>> {
  const rows = await store
    .select({ id: kycCase.assigneeId, open: count(), late: counted(isLate(now)) })
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), isNotNull(kycCase.assigneeId), OPEN))
    .groupBy(kycCase.assigneeId);
  return new Map(rows.flatMap(({ id, ...caseloads }) => (id === null ? [] : [[id, caseloads] as const])));
}

export type DayFigures = { day: string; approved: number; reproved: number };

export type PersonFigures = Caseload & {
  id: string;
  name: string;
  approved: number;
  reproved: number;
  awayUntil: string | null;
};

export type Figures = Fresh &
  OpenFigures & {
    dueSoonHours: number;
    decided: DecidedFigures;
    perDay: DayFigures[];
    people: PersonFigures[];
    takenAt: string;
    readSoFar: number | null;
  };

const sum = (tallies: readonly Tally[], outcome: string) =>
  tallies.filter(({ decision }) => decision === outcome).reduce((total, { decisions }) => total + decisions, 0);

const outcomesOf = (tallies: readonly Tally[]) => ({
  approved: sum(tallies, "APPROVED"),
  reproved: sum(tallies, "REPROVED"),
});

const perDay = (days: readonly string[], tallies: readonly Tally[]): DayFigures[] =>
  days.map((day) => ({ day, ...outcomesOf(tallies.filter((tally) => tally.day === day)) }));

type Inputs = { tallies: readonly Tally[]; caseloads: ReadonlyMap<string, Caseload>; away: ReadonlyMap<string, Date> };

async function perPerson(store: Db, { tallies, caseloads, away }: Inputs): Promise<PersonFigures[]> {
  const ids = [...new Set([...tallies.flatMap(({ by }) => by ?? []), ...caseloads.keys()])];
  if (ids.length === 0) return [];
  const people = await store.select({ id: staff.id, name: staff.name }).from(staff).where(inArray(staff.id, ids));
  return people
    .map(({ id, name }) => ({
      id,
      name,
      ...outcomesOf(tallies.filter(({ by }) => by === id)),
      ...(caseloads.get(id) ?? { open: 0, late: 0 }),
      awayUntil: away.get(id)?.toISOString() ?? null,
    }))
    .toSorted(
      (one, other) =>
        other.approved + other.reproved - (one.approved + one.reproved) || one.name.localeCompare(other.name, "pt-BR"),
    );
}

export async function readFigures({ tenant }: Actor<"kyc:read">, days: FigureDays): Promise<Figures> {
  const store = await db();
  const now = await storeNow(store);
  const at = { store, tenant, now };
  const since = firstOfLastDays(days, now);
  const shown = lastDays(days, now);
  const { dueSoonHours } = (await caseRulesOf(store, tenant)).rules;
  const tallies = await readTallies(at, { since, days: shown });
  const caseloads = await readCaseloads(at);
  return {
    ...(await readOpen(at, dueSoonHours)),
    dueSoonHours,
    decided: await readDecided(at, since),
    perDay: perDay(shown, tallies),
    people: await perPerson(store, { tallies, caseloads, away: await readAway(store, tenant) }),
    takenAt: now.toISOString(),
    ...(await caseFreshness(tenant)),
    readSoFar: await readSoFar(store, tenant),
  };
}
