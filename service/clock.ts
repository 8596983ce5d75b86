/** Epoch milliseconds. */
export type Clock = { now: () => number };

/** The machine's time, moved forward by control routes. */
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

export function instant(clock: Clock): Date {
  return new Date(clock.now());
}
