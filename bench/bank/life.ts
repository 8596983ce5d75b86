import { z } from "zod";
import { INTENT_STEPS } from "@/lib/bank/intent";
import { Order } from "./ordering";

/** Where a process may be killed by itself: at the points an intent passes, and between them on its way out. */
export const OWN_LABELS = [...INTENT_STEPS, "on-the-wire"] as const;
/** Where the proxy kills it. */
export const PROXY_LABELS = ["request-received", "answer-lost", "half-head", "half-body"] as const;
export const LABELS = [...OWN_LABELS, ...PROXY_LABELS] as const;
export type Label = (typeof LABELS)[number];

/** What one console process does: take up what the one before left, then, unless it is the last, order a transfer. */
export const Life = z.object({
  staffId: z.uuid(),
  order: Order.nullable(),
  /** Where it kills itself; null when the proxy does, or nobody. */
  diesAt: z.enum(OWN_LABELS).nullable(),
  /** Whether it may die while it takes up what was left. */
  mayDieRecovering: z.boolean(),
});
export type Life = z.infer<typeof Life>;
