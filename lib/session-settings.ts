import { z } from "zod";
import { trustedProxiesOf } from "@/door/addresses.mjs";
import { numberFrom } from "./setting";

/** How long a session lasts without a sign of its person, and which proxies the front server believes. */
export const SESSION_SETTINGS = {
  SESSION_IDLE_MINUTES: numberFrom(0.1, 720, "must be a number of minutes").default(30),
  STEP_UP_MINUTES: numberFrom(0.05, 60, "must be a number of minutes").default(5),
  TRUSTED_PROXIES: z
    .string()
    .refine((text) => trustedProxiesOf(text) !== null, {
      error: "must be addresses or networks with commas between them, such as 127.0.0.1/32, or none",
    })
    .optional(),
};

export type SessionSettings = {
  sessionIdleMs: number;
  /** How long a proof of oneself is good for what asks for a recent one. */
  stepUpMs: number;
};

export const sessionSettingsOf = (settings: {
  SESSION_IDLE_MINUTES: number;
  STEP_UP_MINUTES: number;
}): SessionSettings => ({
  sessionIdleMs: settings.SESSION_IDLE_MINUTES * 60_000,
  stepUpMs: settings.STEP_UP_MINUTES * 60_000,
});
