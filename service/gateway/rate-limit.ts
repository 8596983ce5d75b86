import type { Clock } from "@/service/clock";
import { ServiceError } from "@/service/error";

const WINDOW_MS = 60_000;

/** Counts the financial requests of each client IP. `take` throws the 429 when the minute is full. */
export type RateLimit = { take: (ip: string) => void };

/** A sliding window of one minute: never more than `limit` requests in any 60 seconds. */
export function createRateLimit(clock: Clock, limit: number): RateLimit {
  const taken = new Map<string, number[]>();
  let sweepAtMs = 0;

  const sweep = (nowMs: number) => {
    if (nowMs < sweepAtMs) return;
    sweepAtMs = nowMs + WINDOW_MS;
    for (const [ip, times] of taken) if ((times.at(-1) ?? 0) <= nowMs - WINDOW_MS) taken.delete(ip);
  };

  return {
    take: (ip) => {
      const nowMs = clock.now();
      sweep(nowMs);
      const recent = (taken.get(ip) ?? []).filter((at) => at > nowMs - WINDOW_MS);
      taken.set(ip, recent);
      const [oldest] = recent;
      if (oldest !== undefined && recent.length >= limit) {
        const seconds = Math.ceil((oldest + WINDOW_MS - nowMs) / 1_000);
        throw new ServiceError(429, "Rate limit exceeded", { headers: { "Retry-After": String(seconds) } });
      }
      recent.push(nowMs);
    },
  };
}
