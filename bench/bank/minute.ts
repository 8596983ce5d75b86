const MINUTE_MS = 60_000;

/** The most that happened in any 60 seconds. */
export function busiestMinute(atMs: readonly number[]): number {
  const times = atMs.toSorted((one, other) => one - other);
  let first = 0;
  let most = 0;
  times.forEach((ms, index) => {
    while ((times[first] ?? ms) <= ms - MINUTE_MS) first += 1;
    most = Math.max(most, index - first + 1);
  });
  return most;
}

/** The smallest of them that so many of a hundred do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN;
}
