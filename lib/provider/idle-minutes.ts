import { env } from "@/lib/settings/env";

/** The share of calls left for watches while people work. */
const IDLE_SHARE = 10 / 27;

/** How long so many calls take that nobody waits for. */
export const idleMinutes = (calls: number): number =>
  Math.max(1, Math.round(calls / (env().callsPerMinute * IDLE_SHARE)));
