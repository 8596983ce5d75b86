const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;
const JITTER = 0.25;

/** Waiting time before attempt `attempt` + 1: 1 s doubling, up to a quarter more by chance, never over 30 s. */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** attempt * (1 + JITTER * random()), LONGEST_DELAY_MS);
}
