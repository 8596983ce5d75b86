import { numberFrom } from "./setting";

/** How long a session lasts without a sign of its person, and how far the address of whoever asks is believed. */
export const SESSION_SETTINGS = {
  SESSION_IDLE_MINUTES: numberFrom(0.1, 720, "must be a number of minutes").default(30),
  STEP_UP_MINUTES: numberFrom(0.05, 60, "must be a number of minutes").default(5),
  TRUSTED_PROXIES: numberFrom(0, 10, "must be a number of proxies").int({ error: "must be a whole number" }).default(0),
};

export type SessionSettings = {
  sessionIdleMs: number;
  /** How long a proof of oneself is good for what asks for a recent one. */
  stepUpMs: number;
  /** How many proxies in front of the console write the address they were asked from into X-Forwarded-For. */
  trustedProxies: number;
};

export const sessionSettingsOf = (settings: {
  SESSION_IDLE_MINUTES: number;
  STEP_UP_MINUTES: number;
  TRUSTED_PROXIES: number;
}): SessionSettings => ({
  sessionIdleMs: settings.SESSION_IDLE_MINUTES * 60_000,
  stepUpMs: settings.STEP_UP_MINUTES * 60_000,
  trustedProxies: settings.TRUSTED_PROXIES,
});
