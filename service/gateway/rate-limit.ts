import type { Clock } from "@/service/clock";
import { ServiceError } from "@/service/error";

const WINDOW_MS = 60_000;

/** Financial requests by client IP. Throws 429 when the minute is full. */
export type RateLimit = { take: (ip: string) => void };

/** Oldest first; those before `first` are out of the window. */
type Taken = { times: number[]; first: number };

/** Cut off in one go, so that each time is rarely moved. */
function leaveBehind(taken: Taken, endedAtMs: number): void {
  while ((taken.times[taken.first] ?? Infinity) <= endedAtMs) taken.first += 1;
  if (taken.first * 2 <= taken.times.length) return;
  taken.times = taken.times.slice(taken.first);
  taken.first = 0;
}

/** Sliding: never more than `limit` in any 60 seconds. */
export function createRateLimit(clock: Clock, limit: number): RateLimit {
  const byIp = new Map<string, Taken>();
  let sweepAtMs = 0;

  const sweep = (nowMs: number) => {
    if (nowMs < sweepAtMs) return;
    sweepAtMs = nowMs + WINDOW_MS;
    for (const [ip, { times }] of byIp) if ((times.at(-1) ?? 0) <= nowMs - WINDOW_MS) byIp.delete(ip);
  };

  return {
    take: (ip) => {
      const nowMs = clock.now();
      sweep(nowMs);
      const taken = byIp.get(ip) ?? { times: [], first: 0 };
      byIp.set(ip, taken);
      leaveBehind(taken, nowMs - WINDOW_MS);
      const oldest = taken.times[taken.first];
      if (oldest !== undefined && taken.times.length - taken.first >= limit) {
        const seconds = Math.ceil((oldest + WINDOW_MS - nowMs) / 1_000);
        throw new ServiceError(429, "Rate limit exceeded", { headers: { "Retry-After": String(seconds) } });
      }
      taken.times.push(nowMs);
    },
  };
}
