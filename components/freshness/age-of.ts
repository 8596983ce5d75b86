const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Age = { unit: "now" | "minutes" | "hours" | "days"; value: number };

export function ageOf(iso: string, nowMs: number): Age {
  const passedMs = nowMs - Date.parse(iso);
  if (!(passedMs >= MINUTE_MS)) return { unit: "now", value: 0 };
  if (passedMs < HOUR_MS) return { unit: "minutes", value: Math.floor(passedMs / MINUTE_MS) };
  if (passedMs < DAY_MS) return { unit: "hours", value: Math.floor(passedMs / HOUR_MS) };
  return { unit: "days", value: Math.floor(passedMs / DAY_MS) };
}
