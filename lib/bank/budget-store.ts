import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "@/lib/store/store";
import { LANES, type Lane } from "./lane";

/** A budget that instances share: the provider's, by the origin of its address, with what it is configured to be in any 60 s. */
export type SharedBudget = {
  store: () => Promise<Db>;
  origin: string;
  limit: number;
  /** The store's time; its own clock where there is none. */
  storeTime?: () => Date;
};

export type PerLane = Readonly<Record<Lane, number>>;

type Standing = {
  /** Counted for the last minute. */
  used: PerLane;
  /** The limit now: less than configured after a 429. */
  limit: number;
  pausedUntil: Date | null;
};

/** What the store gave, and what is left. */
export type Taken = {
  granted: PerLane;
  /**
   * Free places by lane: now and, when less was granted than wanted, from the start of each of the next 62 seconds if nobody
   * else came; `inMs` milliseconds from now.
   */
  rooms: readonly { inMs: number; free: PerLane }[];
};

const Triple = z.array(z.number()).length(LANES.length);
const StandingRow = z.object({ used: Triple, allowed: z.number(), paused_until_ms: z.number().nullable() });
const TakenRow = z.object({ granted: Triple, rooms: z.array(z.number()), at_ms: z.number() });
const Looked = z.object({ rows: z.tuple([StandingRow]) });
const Answer = z.object({ rows: z.tuple([TakenRow]) });

const byLane = ([money = 0, people = 0, watchers = 0]: readonly number[]): PerLane => ({ money, people, watchers });

const given = ({ storeTime }: SharedBudget) => sql`${storeTime?.().toISOString() ?? null}::timestamptz`;

/** From the start of the `ahead`th second after `atMs`. */
const secondsAheadMs = (atMs: number, ahead: number) =>
  ahead === 0 ? 0 : (Math.floor(atMs / 1000) + ahead) * 1000 - atMs;

/** How the budget stands; locks nothing. */
export async function lookAtBudget(budget: SharedBudget): Promise<Standing> {
  const db = await budget.store();
  const [row] = Looked.parse(
    await db.execute(sql`select * from bank_budget_look(${budget.origin}, ${budget.limit}, ${given(budget)})`),
  ).rows;
  return {
    used: byLane(row.used),
    limit: row.allowed,
    pausedUntil: row.paused_until_ms === null ? null : new Date(row.paused_until_ms),
  };
}

/** Takes up to so many places in one statement. */
export async function takeFromBudget(budget: SharedBudget, wanted: PerLane): Promise<Taken> {
  const db = await budget.store();
  const places = sql`array[${wanted.money}, ${wanted.people}, ${wanted.watchers}]::integer[]`;
  const answer = await db.execute(
    sql`select * from bank_budget_take(${budget.origin}, ${budget.limit}, ${places}, ${given(budget)})`,
  );
  const [row] = Answer.parse(answer).rows;
  const seconds = Array.from({ length: row.rooms.length / LANES.length }, (_, ahead) => ahead);
  return {
    granted: byLane(row.granted),
    rooms: seconds.map((ahead) => ({
      inMs: secondsAheadMs(row.at_ms, ahead),
      free: byLane(row.rooms.slice(ahead * LANES.length, (ahead + 1) * LANES.length)),
    })),
  };
}

/** Notes a 429: every instance pauses for so long and goes on with a lower limit. */
export async function lowerBudget(budget: SharedBudget, pauseMs: number): Promise<void> {
  const db = await budget.store();
  await db.execute(
    sql`select bank_budget_refused(${budget.origin}, ${budget.limit}, ${pauseMs}::double precision, ${given(budget)})`,
  );
}
