/** Asked before each attempt of a read: false when none is left, and nothing is sent. */
export type Allowance = { take: () => boolean; giveBack: () => void };

export const ALLOWANCE_SPENT = "allowance-spent";

export type Allowances = {
  /** For one of the planned reads: its first call is certain, retries and further pages use what the others leave. */
  next: () => Allowance;
  used: () => number;
};

/** At most so many calls for these planned reads, whatever their retries and pages would ask for. */
export function allowancesFor(planned: number, most: number): Allowances {
  let owed = planned;
  let left = most;
  return {
    next() {
      let isFirst = true;
      return {
        take() {
          if (isFirst) {
            isFirst = false;
            owed -= 1;
          } else if (left <= owed) return false;
          left -= 1;
          return true;
        },
        giveBack() {
          left += 1;
        },
      };
    },
    used: () => most - left,
  };
}
