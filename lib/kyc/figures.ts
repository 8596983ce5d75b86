import { inArray } from "drizzle-orm";
import type { Actor } from "@/lib/auth/grant";
import type { FigureDays } from "@/lib/figure-days";
import type { Fresh } from "@/lib/page";
import { storeNow } from "@/lib/store/clock";
import { staff } from "@/lib/store/schema";
import { type Db, db } from "@/lib/store/store";
import { civilDaysAgo, firstOfLastDays } from "@/lib/time";
import { freshness } from "@/lib/watch";
import { readAway } from "./assignees";
import { caseRulesOf } from "./case-rules";
import { type DecidedFigures, readDecided, readTallies, type Tally } from "./figures-decided";
import { readSoFar } from "./queue-counts";
import { type Held, type OpenFigures, readHeld, readOpen } from "./figures-open";

/** `day` is São Paulo's, `yyyy-MM-dd`. */
export type DayFigures = { day: string; approved: number; reproved: number };

export type PersonFigures = Held & {
  id: string;
  name: string;
  approved: number;
  reproved: number;
  /** ISO; null: here. */
  awayUntil: string | null;
};

export type Figures = Fresh &
  OpenFigures & {
    dueSoonHours: number;
    decided: DecidedFigures;
    /** Each of the days, today last. */
    perDay: DayFigures[];
    /** Who decided in these days, or has open cases; who decided most comes first. */
    people: PersonFigures[];
    /** When these figures were taken (ISO). */
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

type Known = { tallies: readonly Tally[]; held: ReadonlyMap<string, Held>; away: ReadonlyMap<string, Date> };

async function perPerson(store: Db, { tallies, held, away }: Known): Promise<PersonFigures[]> {
  const ids = [...new Set([...tallies.flatMap(({ by }) => by ?? []), ...held.keys()])];
  if (ids.length === 0) return [];
  const people = await store.select({ id: staff.id, name: staff.name }).from(staff).where(inArray(staff.id, ids));
  return people
    .map(({ id, name }) => ({
      id,
      name,
      ...outcomesOf(tallies.filter(({ by }) => by === id)),
      ...(held.get(id) ?? { open: 0, late: 0 }),
      awayUntil: away.get(id)?.toISOString() ?? null,
    }))
    .toSorted(
      (one, other) =>
        other.approved + other.reproved - (one.approved + one.reproved) || one.name.localeCompare(other.name, "pt-BR"),
    );
}

/** How the desk is doing: what is open now, and what was decided in the last `days` civil days. */
export async function readFigures({ tenant }: Actor<"kyc:read">, days: FigureDays): Promise<Figures> {
  const store = await db();
  const now = await storeNow(store);
  const at = { store, tenant, now };
  const since = firstOfLastDays(days, now);
  const later = Array.from({ length: days - 1 }, (_, place) => civilDaysAgo(days - 2 - place, now));
  const { dueSoonHours } = (await caseRulesOf(store, tenant)).rules;
  const tallies = await readTallies(at, [since, ...later]);
  const held = await readHeld(at);
  return {
    ...(await readOpen(at, dueSoonHours)),
    dueSoonHours,
    decided: await readDecided(at, since),
    perDay: perDay([since, ...later], tallies),
    people: await perPerson(store, { tallies, held, away: await readAway(store, tenant) }),
    takenAt: now.toISOString(),
    ...(await freshness(tenant, "kyc")),
    readSoFar: await readSoFar(store, tenant),
  };
}
