import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "@/lib/store/store";
import { BankError } from "./answer";

type Admission = { waitedMs: number };

type LineDoor = {
  /** In milliseconds, the clock of the deadlines. */
  now: () => number;
  /** Calls `wake` once in so many milliseconds, unless the returned function is called before. */
  wakeIn: (ms: number, wake: () => void) => () => void;
};

type Waiter = Admitted & { sinceMs: number; deadlineMs: number; giveUpLater: () => void };
type Admitted = { admit: (admission: Admission) => void; refuse: (reason: unknown) => void };

/** Those who wait for a place in the budget, first come first. */
type Line = {
  length: () => number;
  oldestWaitMs: () => number;
  /** Stands in line at most until the deadline; refused at once when that would be in vain. */
  join: (deadlineMs: number) => Promise<Admission>;
  admitFirst: (places: number) => void;
  /** Refuses those who cannot be admitted by their deadlines any more. */
  refuseHopeless: () => void;
  refuseFirst: (places: number, reason: unknown) => void;
};

/** `chanceMs` tells when the nth in the line, counting from 1, can be admitted at the earliest. */
function createLine({ now, wakeIn }: LineDoor, chanceMs: (place: number) => number): Line {
  let waiters: readonly Waiter[] = [];

  function spent(place: number): BankError {
    const retryAfterMs = Math.max(0, chanceMs(place) - now());
    return new BankError("rate-limited", { code: "budget-spent", retryAfterMs, mayHaveExecuted: false });
  }

  function leave(waiter: Waiter): void {
    waiter.giveUpLater();
    waiters = waiters.filter((other) => other !== waiter);
  }

  function stand({ admit, refuse }: Admitted, deadlineMs: number): void {
    const sinceMs = now();
    const giveUp = () => {
      const place = waiters.indexOf(waiter) + 1;
      leave(waiter);
      refuse(spent(place));
    };
    const waiter = { admit, refuse, sinceMs, deadlineMs, giveUpLater: wakeIn(deadlineMs - sinceMs, giveUp) };
    waiters = [...waiters, waiter];
  }

  return {
    length: () => waiters.length,
    oldestWaitMs: () => {
      const [oldest] = waiters;
      return oldest === undefined ? 0 : now() - oldest.sinceMs;
    },
    join: (deadlineMs) =>
      new Promise((admit, refuse) => {
        const place = waiters.length + 1;
        if (chanceMs(place) > deadlineMs) refuse(spent(place));
        else stand({ admit, refuse }, deadlineMs);
      }),
    admitFirst(places) {
      for (const waiter of waiters.slice(0, places)) {
        leave(waiter);
        waiter.admit({ waitedMs: now() - waiter.sinceMs });
      }
    },
    refuseHopeless() {
      waiters.forEach((waiter, index) => {
        if (chanceMs(index + 1) <= waiter.deadlineMs) return;
        leave(waiter);
        waiter.refuse(spent(index + 1));
      });
    },
    refuseFirst(places, reason) {
      for (const waiter of waiters.slice(0, places)) {
        leave(waiter);
        waiter.refuse(reason);
      }
    },
  };
}

/** Long enough to serve a crowd, short enough for a pause that another instance was told of. */
const KEPT_MS = 250;
const SECOND_MS = 1_000;

/** Places that were taken from the budget ahead of those who will want them. */
type Spare = {
  /** How many to take ahead: what came in a quarter of the last second. None at the pace of a usual limit. */
  wanted: () => number;
  put: (places: number) => void;
  take: () => boolean;
  drop: () => void;
  noteAdmitted: (places: number) => void;
};

/** Under a load of hundreds of calls a second, one statement serves many of them; places that nobody came for are lost. */
export function createSpare(now: () => number): Spare {
  let second = 0;
  let inThisSecond = 0;
  let inLastSecond = 0;
  let places = 0;
  let keptUntilMs = 0;

  function age(): void {
    const current = Math.floor(now() / SECOND_MS);
    if (current === second) return;
    inLastSecond = current === second + 1 ? inThisSecond : 0;
    inThisSecond = 0;
    second = current;
  }

  return {
    wanted() {
      age();
      return Math.floor((inLastSecond * KEPT_MS) / SECOND_MS);
    },
    put(taken) {
      places = taken;
      keptUntilMs = now() + KEPT_MS;
    },
    take() {
      if (places === 0 || now() >= keptUntilMs) return false;
      places -= 1;
      return true;
    },
    drop() {
      places = 0;
    },
    noteAdmitted(admitted) {
      age();
      inThisSecond += admitted;
    },
  };
}

/**
 * Who a call waits for in the provider's limit: `money` every write, `people` what somebody looks at, `watchers` what the
 * console asks of itself.
 */
export const LANES = ["money", "people", "watchers"] as const;
export type Lane = (typeof LANES)[number];

/** A budget that instances share: the provider's, by the origin of its address, with what it is configured to be in any 60 s. */
type SharedBudget = {
  store: () => Promise<Db>;
  origin: string;
  limit: number;
  /** The store's time; its own clock where there is none. */
  storeTime?: () => Date;
};

type PerLane = Readonly<Record<Lane, number>>;

type Standing = {
  /** Counted for the last minute. */
  used: PerLane;
  /** The limit now: less than configured after a 429. */
  limit: number;
  pausedUntil: Date | null;
};

/** What the store gave, and what is left. */
type Taken = {
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
async function lookAtBudget(budget: SharedBudget): Promise<Standing> {
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
async function lowerBudget(budget: SharedBudget, pauseMs: number): Promise<void> {
  const db = await budget.store();
  await db.execute(
    sql`select bank_budget_refused(${budget.origin}, ${budget.limit}, ${pauseMs}::double precision, ${given(budget)})`,
  );
}

const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** By then every call that counts now is forgotten. */
const WINDOW_MS = 62_000;

/** What the meter shows. */
export type BudgetUse = {
  /** Calls in any 60 s: for a while after a 429 less than configured. */
  limit: number;
  configured: number;
  /** In the last minute, by all instances. */
  used: number;
  byLane: PerLane;
  /** The provider asked for a pause. */
  pausedUntil: Date | null;
  /** In this instance. */
  waiting: PerLane;
  oldestWaitMs: number;
};

type BudgetDoor = SharedBudget & LineDoor;

export type Budget = {
  /**
   * Resolves when a call of this lane may leave, in the order of asking. Throws `BankError` rate-limited, code
   * `budget-spent`, as soon as it is certain that this will not be by `deadlineMs`.
   */
  admit: (lane: Lane, deadlineMs: number) => Promise<Admission>;
  /** The provider answered 429: everybody pauses for so long, a second when it did not say, and goes on more slowly. */
  slowDown: (retryAfterMs: number | null) => Promise<void>;
  use: () => Promise<BudgetUse>;
};

/** What the store told last, and when by our clock. */
type Outlook = Pick<Taken, "rooms"> & { atMs: number };

/** When the `place`th of a lane can be admitted at the earliest: others who come can only make it later. */
function earliestMs({ rooms, atMs }: Outlook, lane: Lane, place: number): number {
  const room = rooms.find(({ free }) => free[lane] >= place);
  if (room !== undefined) return atMs + room.inMs;
  // An outlook that ends now tells nothing of later.
  return rooms.length > 1 ? atMs + WINDOW_MS : atMs;
}

const perLane = (count: (lane: Lane) => number): PerLane => ({
  money: count("money"),
  people: count("people"),
  watchers: count("watchers"),
});

/**
 * What the product allows itself of the provider's limit (interface: Limits), shared by all instances that share a store. The
 * callers of one process stand in line by lane; one statement asks for all of them together, and not again before its answer
 * lets hope for a place.
 */
export function createBudget(door: BudgetDoor): Budget {
  let outlook: Outlook | undefined;
  let isAsking = false;
  let cancelWake: (() => void) | undefined;

  const chanceMs = (lane: Lane, place: number) =>
    outlook === undefined ? door.now() : Math.max(door.now(), earliestMs(outlook, lane, place));
  const lineOf = (lane: Lane) => createLine(door, (place) => chanceMs(lane, place));
  const lines = { money: lineOf("money"), people: lineOf("people"), watchers: lineOf("watchers") };
  const spares = { money: createSpare(door.now), people: createSpare(door.now), watchers: createSpare(door.now) };

  function admitFirst(lane: Lane, granted: number): void {
    const admitted = Math.min(granted, lines[lane].length());
    lines[lane].admitFirst(admitted);
    spares[lane].noteAdmitted(admitted);
    spares[lane].put(granted - admitted);
  }

  async function ask(): Promise<void> {
    const waiting = perLane((lane) => lines[lane].length());
    const wanted = perLane((lane) => (waiting[lane] === 0 ? 0 : waiting[lane] + spares[lane].wanted()));
    const [taken] = await Promise.allSettled([takeFromBudget(door, wanted)]);
    if (taken.status === "rejected") {
      for (const lane of LANES) lines[lane].refuseFirst(waiting[lane], taken.reason);
      return;
    }
    outlook = { rooms: taken.value.rooms, atMs: door.now() };
    for (const lane of LANES) admitFirst(lane, taken.value.granted[lane]);
    for (const lane of LANES) lines[lane].refuseHopeless();
  }

  /** Until somebody who waits may find a place; Infinity when nobody waits. */
  function untilChanceMs(): number {
    const chances = LANES.filter((lane) => lines[lane].length() > 0).map((lane) => chanceMs(lane, 1));
    return Math.min(...chances) - door.now();
  }

  async function askWhenDue(): Promise<void> {
    if (isAsking) return;
    cancelWake?.();
    isAsking = true;
    while (untilChanceMs() <= 0) await ask();
    isAsking = false;
    const waitMs = untilChanceMs();
    if (waitMs < Infinity) cancelWake = door.wakeIn(waitMs, () => void askWhenDue());
  }

  return {
    async admit(lane, deadlineMs) {
      if (lines[lane].length() === 0 && spares[lane].take()) {
        spares[lane].noteAdmitted(1);
        return { waitedMs: 0 };
      }
      const admission = lines[lane].join(deadlineMs);
      void askWhenDue();
      return admission;
    },
    slowDown: (retryAfterMs) => {
      for (const lane of LANES) spares[lane].drop();
      return lowerBudget(door, Math.min(retryAfterMs ?? PAUSE_MS, LONGEST_PAUSE_MS));
    },
    async use() {
      const { limit, used, pausedUntil } = await lookAtBudget(door);
      return {
        limit,
        configured: door.limit,
        used: used.money + used.people + used.watchers,
        byLane: used,
        pausedUntil,
        waiting: perLane((lane) => lines[lane].length()),
        oldestWaitMs: Math.max(...LANES.map((lane) => lines[lane].oldestWaitMs())),
      };
    },
  };
}
