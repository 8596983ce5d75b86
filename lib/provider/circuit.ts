import { AppError } from "@/lib/errors/app-error";
import type { Lane } from "@/lib/db/enums/provider";

const FAILURES_IN_A_ROW = 5;
const CALLS_LOOKED_AT = 20;
const FAILING_SHARE = 0.5;
const REMEMBERED_MS = 60_000;
const PROBE_EVERY_MS: Readonly<Record<Lane, number>> = { money: 3_000, people: 3_000, watchers: 4_000 };

type CallResult = { isAnswered: boolean; atMs: number };
type Open = { probeAtMs: number; isProbed?: boolean };

export type LaneState = { isOpen: false } | { isOpen: true; silentSince: string; untilProbeMs: number };

/** `now`: milliseconds, monotonic; `date`: what a silence is dated by, once. */
export type CircuitDeps = { now: () => number; date: () => Date; sleep: (ms: number) => Promise<unknown> };

export type Circuit = {
  /**
   * Fails fast while open, or waits for a probe in flight; true: the call is a probe, or no lane has had an answer since
   * another one opened. Throws `AppError` unavailable, `circuit-open`.
   */
  enter: (lane: Lane) => Promise<boolean>;
  /** A 4xx is an answer, a 5xx is none. */
  note: (lane: Lane, isAnswered: boolean) => void;
  standing: () => Record<Lane, LaneState>;
};

function isFailing(outcomes: readonly CallResult[]): boolean {
  const inARow = outcomes.slice(-FAILURES_IN_A_ROW);
  if (inARow.length === FAILURES_IN_A_ROW && inARow.every(({ isAnswered }) => !isAnswered)) return true;
  const failures = outcomes.filter(({ isAnswered }) => !isAnswered).length;
  return outcomes.length === CALLS_LOOKED_AT && failures >= FAILING_SHARE * CALLS_LOOKED_AT;
}

/** For all lanes; null: never in this process. */
type Heard = { lastAt: Date | null };

function createLane({ now, date, sleep }: CircuitDeps, probeEveryMs: number, heard: Heard) {
  let outcomes: readonly CallResult[] = [];
  let failingSince: Date | null = null;
  let open: Open | undefined;
  let beside: ((isAnswered: boolean) => void)[] = [];
  const isProbeAnswered = () => new Promise<boolean>((resolve) => beside.push(resolve));

  return {
    async enter(): Promise<boolean> {
      if (open === undefined) return false;
      const waitMs = open.probeAtMs - now();
      if (waitMs > 0) {
        if (open.isProbed && (await Promise.race([isProbeAnswered(), sleep(waitMs).then(() => false)]))) return false;
        throw new AppError("unavailable", { code: "circuit-open", retryAfterMs: waitMs, mayHaveExecuted: false });
      }
      // The next probe does not wait for this one, which may never end.
      open = { ...open, probeAtMs: now() + probeEveryMs, isProbed: true };
      return true;
    },
    isSilent: (): boolean =>
      open !== undefined && failingSince !== null && (heard.lastAt === null || heard.lastAt <= failingSince),
    note(isAnswered: boolean): void {
      const atMs = now();
      if (isAnswered) heard.lastAt = date();
      failingSince = isAnswered ? null : (failingSince ?? date());
      if (open !== undefined) {
        for (const tell of beside) tell(isAnswered);
        beside = [];
        open.isProbed = false;
        if (!isAnswered) return;
        open = undefined;
        outcomes = [];
      }
      const recent = outcomes.filter((outcome) => outcome.atMs > atMs - REMEMBERED_MS);
      outcomes = [...recent, { isAnswered, atMs }].slice(-CALLS_LOOKED_AT);
      if (!isAnswered && isFailing(outcomes)) open = { probeAtMs: atMs + probeEveryMs };
    },
    standing(): LaneState {
      if (open === undefined) return { isOpen: false };
      const silentSince = heard.lastAt ?? failingSince ?? date();
      const untilProbeMs = Math.max(0, open.probeAtMs - now());
      return { isOpen: true, silentSince: silentSince.toISOString(), untilProbeMs };
    },
  };
}

/** Opens a lane after 5 failures in a row or half of the last 20; then a probe every 3 s (watchers 4 s). */
export function createCircuit(deps: CircuitDeps): Circuit {
  const heard: Heard = { lastAt: null };
  const lanes = {
    money: createLane(deps, PROBE_EVERY_MS.money, heard),
    people: createLane(deps, PROBE_EVERY_MS.people, heard),
    watchers: createLane(deps, PROBE_EVERY_MS.watchers, heard),
  };
  return {
    enter: async (lane) => (await lanes[lane].enter()) || Object.values(lanes).some(({ isSilent }) => isSilent()),
    note: (lane, isAnswered) => lanes[lane].note(isAnswered),
    standing: () => ({
      money: lanes.money.standing(),
      people: lanes.people.standing(),
      watchers: lanes.watchers.standing(),
    }),
  };
}
