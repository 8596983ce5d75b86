import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "@/lib/db/connection";
import { AppError } from "@/lib/errors/app-error";
import { LANES, type Lane } from "@/lib/db/enums/provider";

type Admission = { waitedMs: number };

function budgetSpent(retryAfterMs: number): AppError {
  const details = { code: "budget-spent", retryAfterMs: Math.max(0, retryAfterMs), mayHaveExecuted: false };
  return new AppError("rate-limited", details);
}

type LineDeps = {
  now: () => number;
  wakeIn: (ms: number, wake: () => void) => () => void;
};

type Waiter = Admitted & Joining & { turn: number; sinceMs: number; giveUpLater: () => void };
/** `rank`: lower ones of the lane go first. `caller`: takes turns with other waiting callers. */
type Joining = { deadlineMs: number; rank: number; caller: string | undefined };
type Admitted = { admit: (admission: Admission) => void; refuse: (reason: unknown) => void };

type Line = {
  length: () => number;
  oldestWaitMs: () => number;
  /** Waits until the deadline at most; rejects at once when that is hopeless. */
  join: (joining: Joining) => Promise<Admission>;
  admitFirst: (places: number) => void;
  refuseHopeless: () => void;
  refuseFirst: (places: number, reason: unknown) => void;
};

/** `chanceMs`: the earliest time at which the nth in line, from 1, can be admitted. */
function createLine({ now, wakeIn }: LineDeps, chanceMs: (position: number) => number): Line {
  let waiters: readonly Waiter[] = [];
  const turns = new Map<number, { now: number; served: Set<string | undefined> }>();

  const spent = (position: number) => budgetSpent(chanceMs(position) - now());

  const turnOf = (rank: number) => turns.get(rank) ?? { now: 0, served: new Set() };

  /** A caller of many calls gets one per turn, like everybody; a pause earns no extra turns. */
  function nextTurn({ caller, rank }: Joining): number {
    const { now: turn, served } = turnOf(rank);
    if (caller === undefined) return turn;
    const own = waiters.filter((one) => one.caller === caller && one.rank === rank);
    return Math.max(turn + Number(served.has(caller)), ...own.map((one) => one.turn + 1));
  }

  function noteServed({ rank, turn, caller }: Waiter): void {
    const { now: before, served } = turnOf(rank);
    turns.set(
      rank,
      turn > before ? { now: turn, served: new Set([caller]) } : { now: before, served: served.add(caller) },
    );
  }

  const positionsBefore = (turn: number, rank: number) =>
    waiters.filter((one) => (one.rank === rank ? one.turn <= turn : one.rank < rank)).length;

  function leave(waiter: Waiter): void {
    waiter.giveUpLater();
    waiters = waiters.filter((other) => other !== waiter);
  }

  function stand({ admit, refuse }: Admitted, joining: Joining, turn: number): void {
    const { deadlineMs, rank } = joining;
    const sinceMs = now();
    const giveUp = () => {
      const position = waiters.indexOf(waiter) + 1;
      leave(waiter);
      refuse(spent(position));
    };
    const giveUpLater = wakeIn(deadlineMs - sinceMs, giveUp);
    const waiter = { ...joining, admit, refuse, turn, sinceMs, giveUpLater };
    waiters = waiters.toSpliced(positionsBefore(turn, rank), 0, waiter);
  }

  return {
    length: () => waiters.length,
    oldestWaitMs: () => Math.max(0, ...waiters.map(({ sinceMs }) => now() - sinceMs)),
    join: (joining) =>
      new Promise((admit, refuse) => {
        const turn = nextTurn(joining);
        const position = positionsBefore(turn, joining.rank) + 1;
        if (chanceMs(position) > joining.deadlineMs) refuse(spent(position));
        else stand({ admit, refuse }, joining, turn);
      }),
    admitFirst(places) {
      for (const waiter of waiters.slice(0, places)) {
        leave(waiter);
        noteServed(waiter);
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

/** One per origin of the provider; `limit` calls in any 60 s. */
type SharedBudget = {
  store: () => Promise<Db>;
  origin: string;
  limit: number;
  storeTime?: () => Date;
};

type PerLane = Readonly<Record<Lane, number>>;

type BudgetState = {
  used: PerLane;
  /** Less than configured after a 429. */
  limit: number;
  pausedUntil: Date | null;
};

type Slot = {
  granted: PerLane;
  /** Free places now and in each of the next 62 seconds without further calls; `inMs` from now. */
  rooms: readonly { inMs: number; free: PerLane }[];
};

const Triple = z.array(z.number()).length(LANES.length);
const BudgetStateRow = z.object({ used: Triple, allowed: z.number(), paused_until_ms: z.number().nullable() });
const TakenRow = z.object({ granted: Triple, rooms: z.array(z.number()), at_ms: z.number() });
const Looked = z.object({ rows: z.tuple([BudgetStateRow]) });
const Answer = z.object({ rows: z.tuple([TakenRow]) });

const byLane = ([money = 0, people = 0, watchers = 0]: readonly number[]): PerLane => ({ money, people, watchers });

const given = ({ storeTime }: SharedBudget) => sql`${storeTime?.().toISOString() ?? null}::timestamptz`;

const secondsAheadMs = (atMs: number, ahead: number) =>
  ahead === 0 ? 0 : (Math.floor(atMs / 1000) + ahead) * 1000 - atMs;

async function lookAtBudget(budget: SharedBudget): Promise<BudgetState> {
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

export async function takeFromBudget(budget: SharedBudget, wanted: PerLane): Promise<Slot> {
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

/** Every instance pauses, and continues with a lower limit. */
async function lowerBudget(budget: SharedBudget, pauseMs: number): Promise<void> {
  const db = await budget.store();
  await db.execute(
    sql`select bank_budget_refused(${budget.origin}, ${budget.limit}, ${pauseMs}::double precision, ${given(budget)})`,
  );
}

const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** By then every current call is forgotten. */
const WINDOW_MS = 62_000;

/** Two thirds of a lane's idle places: the rest is left for the next caller. */
const MAX_OF_LIMIT: Readonly<Record<Lane, number>> = { money: 2 / 3, people: 10 / 27, watchers: 1 };

const ALONE_OF_LIMIT: Readonly<Record<Lane, number>> = { money: 11 / 12, people: 1 / 2, watchers: 1 };

type Most = { most: number; alone: number };

function createShare({ now }: LineDeps, { most, alone }: Most) {
  const calls = new Map<string, readonly number[]>();
  const isRecent = (atMs: number) => atMs + WINDOW_MS > now();
  const hasCompany = (person: string) => [...calls].some(([other, times]) => other !== person && times.some(isRecent));
  return {
    /** Runs `admitted` as one of the person's calls; throws `budget-spent` beyond one person's share. */
    async of<T>(person: string, admitted: () => Promise<T>): Promise<T> {
      const recent = (calls.get(person) ?? []).filter(isRecent);
      if (recent.length >= (hasCompany(person) ? most : alone))
        throw budgetSpent(Math.min(...recent) + WINDOW_MS - now());
      const atMs = now();
      calls.set(person, [...recent, atMs]);
      try {
        return await admitted();
      } catch (error) {
        const all = calls.get(person) ?? [];
        calls.set(person, all.toSpliced(all.indexOf(atMs), 1));
        throw error;
      }
    },
  };
}

/** In the first minute, before people's use is known, patient calls get a ninth, or two ninths with first readings. */
function createStart({ now, wakeIn }: LineDeps, most: number) {
  const endsMs = now() + WINDOW_MS;
  const idle = new Map<string | undefined, number>();
  let all = 0;
  let idleOnes = 0;
  function hasRoom(watch: string | undefined, isFirst: boolean): boolean {
    if (all >= 2 * most) return false;
    const own = watch === undefined ? 0 : (idle.get(watch) ?? 0);
    return isFirst || (idleOnes < most && own < Math.ceil(most / 2));
  }
  function take(watch: string | undefined, isFirst: boolean): void {
    all += 1;
    if (isFirst) return;
    idleOnes += 1;
    idle.set(watch, (idle.get(watch) ?? 0) + 1);
  }
  return async (deadlineMs: number, watch: string | undefined, isFirst: boolean): Promise<void> => {
    if (now() >= endsMs) return;
    if (hasRoom(watch, isFirst)) return take(watch, isFirst);
    if (endsMs > deadlineMs) throw budgetSpent(endsMs - now());
    await new Promise<void>((resolve) => {
      wakeIn(endsMs - now(), resolve);
    });
  };
}

export type BudgetUse = {
  limit: number;
  configured: number;
  used: number;
  byLane: PerLane;
  pausedUntil: Date | null;
  waiting: PerLane;
  oldestWaitMs: number;
};

type BudgetDeps = SharedBudget & LineDeps;

export type Budget = {
  /** In order. Throws `AppError` rate-limited, `budget-spent`, as soon as `deadlineMs` cannot be met. */
  admit: (
    lane: Lane,
    deadlineMs: number,
    how?: { isPatient?: boolean; isFirst?: boolean; person?: string | undefined; watch?: string | undefined },
  ) => Promise<Admission>;
  /** After a 429; a second when the provider named none. */
  slowDown: (retryAfterMs: number | null) => Promise<void>;
  use: () => Promise<BudgetUse>;
};

type Outlook = Pick<Slot, "rooms"> & { atMs: number };

function earliestMs({ rooms, atMs }: Outlook, lane: Lane, position: number): number {
  const room = rooms.find(({ free }) => free[lane] >= position);
  if (room !== undefined) return atMs + room.inMs;
  // The forecast ends there.
  return rooms.length > 1 ? atMs + WINDOW_MS : atMs;
}

const perLane = (count: (lane: Lane) => number): PerLane => ({
  money: count("money"),
  people: count("people"),
  watchers: count("watchers"),
});

/** interface: Limits. Shared by all instances of a store; one statement asks for all waiting calls, by lane. */
export function createBudget(deps: BudgetDeps): Budget {
  let outlook: Outlook | undefined;
  let isAsking = false;
  let cancelWake: (() => void) | undefined;

  const chanceMs = (lane: Lane, position: number) =>
    outlook === undefined ? deps.now() : Math.max(deps.now(), earliestMs(outlook, lane, position));
  const lineOf = (lane: Lane) => createLine(deps, (position) => chanceMs(lane, position));
  const partOf = (part: number) => Math.max(1, Math.floor(deps.limit * part));
  const shareOf = (lane: Lane) =>
    createShare(deps, { most: partOf(MAX_OF_LIMIT[lane]), alone: partOf(ALONE_OF_LIMIT[lane]) });
  const shares = { money: shareOf("money"), people: shareOf("people"), watchers: shareOf("watchers") };
  const lines = { money: lineOf("money"), people: lineOf("people"), watchers: lineOf("watchers") };
  const leaveStartToPeople = createStart(deps, Math.max(1, Math.round(deps.limit / 9)));

  async function ask(): Promise<void> {
    const waiting = perLane((lane) => lines[lane].length());
    const taken = await takeFromBudget(deps, waiting).catch((error: unknown) => {
      for (const lane of LANES) lines[lane].refuseFirst(waiting[lane], error);
      return null;
    });
    if (taken === null) return;
    outlook = { rooms: taken.rooms, atMs: deps.now() };
    for (const lane of LANES) lines[lane].admitFirst(taken.granted[lane]);
    for (const lane of LANES) lines[lane].refuseHopeless();
  }

  function untilChanceMs(): number {
    const chances = LANES.filter((lane) => lines[lane].length() > 0).map((lane) => chanceMs(lane, 1));
    return Math.min(...chances) - deps.now();
  }

  async function askWhenDue(): Promise<void> {
    if (isAsking) return;
    cancelWake?.();
    isAsking = true;
    while (untilChanceMs() <= 0) await ask();
    isAsking = false;
    const waitMs = untilChanceMs();
    if (waitMs < Infinity) cancelWake = deps.wakeIn(waitMs, () => void askWhenDue());
  }

  return {
    admit(lane, deadlineMs, { isPatient = false, isFirst = false, person, watch } = {}) {
      const caller = person ?? watch;
      const rank = isPatient ? (isFirst ? 1 : 2) : 0;
      const inLine = async () => {
        if (isPatient) await leaveStartToPeople(deadlineMs, watch, isFirst);
        const admission = lines[lane].join({ deadlineMs, rank, caller });
        void askWhenDue();
        return admission;
      };
      return person === undefined ? inLine() : shares[lane].of(person, inLine);
    },
    slowDown: (retryAfterMs) => lowerBudget(deps, Math.min(retryAfterMs ?? PAUSE_MS, LONGEST_PAUSE_MS)),
    async use() {
      const { limit, used, pausedUntil } = await lookAtBudget(deps);
      return {
        limit,
        configured: deps.limit,
        used: used.money + used.people + used.watchers,
        byLane: used,
        pausedUntil,
        waiting: perLane((lane) => lines[lane].length()),
        oldestWaitMs: Math.max(...LANES.map((lane) => lines[lane].oldestWaitMs())),
      };
    },
  };
}
