import { type Admission, createLine, type LineDoor } from "./budget-line";
import { lookAtBudget, lowerBudget, type PerLane, type SharedBudget, type Taken, takeFromBudget } from "./budget-store";
import { createSpare } from "./budget-spare";
import { LANES, type Lane } from "./lane";

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

export type BudgetDoor = SharedBudget & LineDoor;

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
