import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/text/time";

type Age = { unit: "now" | "seconds" | "minutes" | "hours" | "days"; value: number };

export function ageOf(iso: string, nowMs: number, inSeconds = false): Age {
  const passedMs = nowMs - Date.parse(iso);
  if (!(passedMs >= (inSeconds ? SECOND_MS : MINUTE_MS))) return { unit: "now", value: 0 };
  if (passedMs < MINUTE_MS) return { unit: "seconds", value: Math.floor(passedMs / SECOND_MS) };
  if (passedMs < HOUR_MS) return { unit: "minutes", value: Math.floor(passedMs / MINUTE_MS) };
  if (passedMs < DAY_MS) return { unit: "hours", value: Math.floor(passedMs / HOUR_MS) };
  return { unit: "days", value: Math.floor(passedMs / DAY_MS) };
}
