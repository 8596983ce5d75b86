const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Left = { unit: "days" | "hours" | "minutes" | "over"; value: number };

/** To the nearest hour or day, so that a deadline of 24 hours says so when it is seconds old. */
export function leftOf(endsAtMs: number, nowMs: number): Left {
  const leftMs = endsAtMs - nowMs;
  if (leftMs <= 0) return { unit: "over", value: 0 };
  if (leftMs >= 2 * DAY_MS) return { unit: "days", value: Math.round(leftMs / DAY_MS) };
  if (leftMs >= 2 * HOUR_MS) return { unit: "hours", value: Math.round(leftMs / HOUR_MS) };
  return { unit: "minutes", value: Math.ceil(leftMs / MINUTE_MS) };
}
