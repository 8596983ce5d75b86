import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/text/time";

type Left = { unit: "days" | "hours" | "minutes" | "over"; value: number };

/** Rounded down, as it must never promise more; 0 minutes: less than one. */
export function leftOf(endsAtMs: number, nowMs: number): Left {
  const leftMs = endsAtMs - nowMs;
  if (leftMs <= 0) return { unit: "over", value: 0 };
  if (leftMs >= 2 * DAY_MS) return { unit: "days", value: Math.floor(leftMs / DAY_MS) };
  if (leftMs >= 2 * HOUR_MS) return { unit: "hours", value: Math.floor(leftMs / HOUR_MS) };
  return { unit: "minutes", value: Math.floor(leftMs / MINUTE_MS) };
}
