/** Watches look every second, so that stories need not wait: the calls of hours in minutes, beyond any real limit. */
export const BRISK = {
  WATCH_INTERVAL_SECONDS: "1",
  BANK_CALLS_PER_MINUTE: "6000",
  SERVICE_RATE_LIMIT_PER_MINUTE: "6000",
  // People sign in once for many stories: what asks for a recent proof must not depend on how long the run has lasted.
  STEP_UP_MINUTES: "60",
};

/** A third as often is soon enough for most: to look every second takes a quarter of a core, whether a story waits for it or not. */
export const STEADY = { ...BRISK, WATCH_INTERVAL_SECONDS: "3" };
