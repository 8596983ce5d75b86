/** Watches run every second, so that stories need not wait; the call limits allow for it. */
export const BRISK = {
  WATCH_INTERVAL_SECONDS: "1",
  BANK_CALLS_PER_MINUTE: "6000",
  SERVICE_RATE_LIMIT_PER_MINUTE: "6000",
  // People sign in once for many stories, so a proof must last for the whole run.
  STEP_UP_MINUTES: "60",
};

/** Every three seconds is enough for most: each second costs a quarter of a core. */
export const STEADY = { ...BRISK, WATCH_INTERVAL_SECONDS: "3" };
