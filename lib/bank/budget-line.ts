import { BankError } from "./error";

export type Admission = { waitedMs: number };

export type LineDoor = {
  /** In milliseconds, the clock of the deadlines. */
  now: () => number;
  /** Calls `wake` once in so many milliseconds, unless the returned function is called before. */
  wakeIn: (ms: number, wake: () => void) => () => void;
};

type Waiter = Admitted & { sinceMs: number; deadlineMs: number; giveUpLater: () => void };
type Admitted = { admit: (admission: Admission) => void; refuse: (reason: unknown) => void };

/** Those who wait for a place in the budget, first come first. */
export type Line = {
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
export function createLine({ now, wakeIn }: LineDoor, chanceMs: (place: number) => number): Line {
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
