import { setImmediate as turn } from "node:timers/promises";
import type { SQL } from "drizzle-orm";
import type { Db } from "@/lib/db/connection";
import { type Budget, createBudget } from "@/lib/provider/budget";
import { AppError, type AppErrorDetails } from "@/lib/errors/app-error";
import type { Lane } from "@/lib/db/enums/provider";

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;

const START_MS = Date.parse("2026-03-10T12:00:00Z");

/** The result of a request for a place. */
export type Outcome = {
  lane: Lane;
  instance: number;
  askedAtMs: number;
  deadlineMs: number;
  endedAtMs: number | null;
  refusal: AppErrorDetails | null;
};

type Asking = {
  withinMs?: number;
  instance?: number;
  isPatient?: boolean;
  isFirst?: boolean;
  person?: string;
  watch?: string;
};

/** The store, and whether it is busy. */
function observed(db: Db) {
  let running = 0;
  async function execute(query: SQL) {
    running += 1;
    try {
      return await db.execute(query);
    } finally {
      running -= 1;
    }
  }
  const store: Db = Object.create(db, { execute: { value: execute } });
  return { store, isAtWork: () => running > 0 };
}

/**
 * Instances on one store, with a shared time that starts at 0 and advances on command. After each step nothing is in
 * flight, and everything that `isBusy` watches is idle.
 */
export function budgetFixture(
  db: Db,
  { limit = 180, instances = 1, origin = "https://bank.example", isBusy = (): boolean => false } = {},
) {
  const { store, isAtWork } = observed(db);
  const outcomes: Outcome[] = [];
  let alarms: { atMs: number; wake: () => void }[] = [];
  let nowMs = 0;

  function wakeIn(ms: number, wake: () => void): () => void {
    const alarm = { atMs: nowMs + Math.max(0, ms), wake };
    alarms.push(alarm);
    return () => {
      alarms = alarms.filter((other) => other !== alarm);
    };
  }
  const deps = { store: async () => store, origin, limit, now: () => nowMs, wakeIn };
  const storeTime = () => new Date(START_MS + nowMs);
  const budgets: readonly Budget[] = Array.from({ length: instances }, () => createBudget({ ...deps, storeTime }));

  const isInFlight = () => isAtWork() || isBusy();

  async function settle(): Promise<void> {
    do await turn();
    while (isInFlight());
    await turn();
    if (isInFlight()) await settle();
  }

  async function moveTo(ms: number): Promise<void> {
    await settle();
    for (;;) {
      const [next] = alarms.toSorted((one, other) => one.atMs - other.atMs);
      if (next === undefined || next.atMs > ms) break;
      nowMs = next.atMs;
      alarms = alarms.filter((alarm) => alarm !== next);
      next.wake();
      await settle();
    }
    nowMs = ms;
  }

  function budgetOf(instance: number): Budget {
    const budget = budgets[instance];
    if (budget === undefined) throw new Error(`there is no instance ${instance}`);
    return budget;
  }

  /** Requests a place now. */
  function ask(lane: Lane, { withinMs = 20_000, instance = 0, isPatient = false, ...how }: Asking = {}): Outcome {
    const deadlineMs = nowMs + withinMs;
    const outcome: Outcome = { lane, instance, askedAtMs: nowMs, deadlineMs, endedAtMs: null, refusal: null };
    outcomes.push(outcome);
    budgetOf(instance)
      .admit(lane, deadlineMs, { isPatient, ...how })
      .catch((error: unknown) => {
        outcome.refusal = error instanceof AppError ? error.details : { cause: error };
      })
      .finally(() => {
        outcome.endedAtMs = nowMs;
      });
    return outcome;
  }

  /** Requests that many at once. */
  async function askFor(calls: number, lane: Lane, how: Asking = {}) {
    const asked = Array.from({ length: calls }, () => ask(lane, how));
    await settle();
    return asked;
  }

  return {
    outcomes,
    now: deps.now,
    storeTime,
    ask,
    askFor,
    budget: budgetOf,
    settle,
    moveTo,
    advance: (ms: number) => moveTo(nowMs + ms),
  };
}

export const isAdmitted = ({ endedAtMs, refusal }: Outcome) => endedAtMs !== null && refusal === null;
/** The most calls in any 60 s, with one second more for those in flight. */
export function busiestMinute(leftAtMs: readonly number[]): number {
  const counts = leftAtMs.map((fromMs) => {
    const endsMs = fromMs + MINUTE_MS + SECOND_MS;
    return leftAtMs.filter((ms) => ms >= fromMs && ms < endsMs).length;
  });
  return Math.max(0, ...counts);
}

export const leftAt = (outcomes: readonly Outcome[]) =>
  outcomes.filter(isAdmitted).flatMap(({ endedAtMs }) => endedAtMs ?? []);
export const isWaiting = ({ endedAtMs }: Outcome) => endedAtMs === null;
export const isRefused = ({ refusal }: Outcome) => refusal !== null;
export const countAdmitted = (outcomes: readonly Outcome[]) => outcomes.filter(isAdmitted).length;
