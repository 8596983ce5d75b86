const FREE_FAILURES = 5;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 60_000;
const FORGOTTEN_AFTER_MS = 60 * 60_000;
const MOST_ACCOUNTS = 10_000;

export type Throttle = {
  /** Whether the account may be tried now. */
  mayTry: (account: string) => boolean;
  failed: (account: string) => void;
  succeeded: (account: string) => void;
};

/**
 * Slows guessing down: after five failures an account may be tried again after a second, doubling to a minute. Nobody
 * is ever locked out for longer. Kept in memory: a restart forgets, and each instance counts for itself.
 */
export function createThrottle(now: () => number): Throttle {
  const failures = new Map<string, { count: number; lastMs: number }>();
  const known = (account: string) => {
    const found = failures.get(account);
    return found !== undefined && now() - found.lastMs < FORGOTTEN_AFTER_MS ? found : { count: 0, lastMs: 0 };
  };
  return {
    mayTry(account) {
      const { count, lastMs } = known(account);
      if (count < FREE_FAILURES) return true;
      return now() - lastMs >= Math.min(FIRST_DELAY_MS * 2 ** (count - FREE_FAILURES), LONGEST_DELAY_MS);
    },
    failed(account) {
      const { count } = known(account);
      // Deleted first, so that the map's order is that of the last failure and the oldest goes when it is full.
      failures.delete(account);
      failures.set(account, { count: count + 1, lastMs: now() });
      const [oldest] = failures.keys();
      if (failures.size > MOST_ACCOUNTS && oldest !== undefined) failures.delete(oldest);
    },
    succeeded(account) {
      failures.delete(account);
    },
  };
}
