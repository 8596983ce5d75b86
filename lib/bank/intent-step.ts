import { channel } from "node:diagnostics_channel";

/** The points an intent passes, in order; `in-row` and `in-save` stand right before their commit. */
export const INTENT_STEPS = [
  "before-row",
  "in-row",
  "row-committed",
  "before-send",
  "send-noted",
  "answered",
  "before-save",
  "in-save",
  "saved",
] as const;
export type IntentStep = (typeof INTENT_STEPS)[number];

const steps = channel("retaguarda:intent");

/** Publishes `{step, intentId}` on the diagnostics channel `retaguarda:intent`, when somebody listens. */
export function passStep(step: IntentStep, intentId: string): void {
  if (steps.hasSubscribers) steps.publish({ step, intentId });
}
