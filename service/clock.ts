/** What time it is, in epoch milliseconds. */
export type Clock = { now: () => number };

/** The service's own time: the machine's, moved forward by what the control routes asked for. */
export type ServiceClock = Clock & { advance: (milliseconds: number) => void };

export const machineClock: Clock = { now: () => Date.now() };

export function shiftedClock(base: Clock, offsetMs: number): ServiceClock {
  let offset = offsetMs;
  return {
    now: () => base.now() + offset,
    advance: (milliseconds) => {
      offset += milliseconds;
    },
  };
}

/** The moment as the tables keep it. */
export function instant(clock: Clock): Date {
  return new Date(clock.now());
}
