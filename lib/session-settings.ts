import { z } from "zod";
import { trustedProxiesOf } from "@/door/addresses.mjs";
import { numberFrom } from "./setting";

/** How long a session lasts without a sign of its person, who needs a second factor, and which proxies the front server believes. */
export const SESSION_SETTINGS = {
  SESSION_IDLE_MINUTES: numberFrom(0.1, 720, "must be a number of minutes").default(30),
  STEP_UP_MINUTES: numberFrom(0.05, 60, "must be a number of minutes").default(5),
  SECOND_FACTOR_FOR: z.enum(["everyone", "critical-roles"], { error: "must be everyone or critical-roles" }).optional(),
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
  /** Whose role asks for a second factor: that of everyone, or of who moves money, lets it move or decides who may. */
  secondFactorFor: "everyone" | "critical-roles";
};

type Given = {
  SESSION_IDLE_MINUTES: number;
  STEP_UP_MINUTES: number;
  SECOND_FACTOR_FOR?: SessionSettings["secondFactorFor"] | undefined;
};

export const sessionSettingsOf = (settings: Given, { isEmbedded }: { isEmbedded: boolean }): SessionSettings => ({
  sessionIdleMs: settings.SESSION_IDLE_MINUTES * 60_000,
  stepUpMs: settings.STEP_UP_MINUTES * 60_000,
  secondFactorFor: settings.SECOND_FACTOR_FOR ?? (isEmbedded ? "critical-roles" : "everyone"),
});
