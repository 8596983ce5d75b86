import { z } from "zod";
import type { ChildProcess } from "node:child_process";
import { launch } from "@/bench/service/program";
import { INTENT_STEPS } from "@/lib/provider/intents/intent";
import { SendOrder } from "@/lib/wallets/inputs";

/** A transfer of the bench; the service's statement names its intent as the description. */
export const Order = z.object({
  intentId: z.uuid(),
  accountIdFrom: z.string(),
  accountIdTo: z.string(),
  amount: z.string(),
});
export type Order = z.infer<typeof Order>;

/** Where a process may kill itself: at each step of an intent, and while sending. */
export const OWN_LABELS = [...INTENT_STEPS, "on-the-wire"] as const;

/** The life of one console process: recover, then, unless it is the last, order a transfer or coins. */
export const Life = z.object({
  staffId: z.uuid(),
  order: Order.nullable(),
  /** Sends of coins, ordered all at once. */
  coins: z.array(SendOrder),
  /** Where it kills itself; null when the proxy does, or nobody. */
  diesAt: z.enum(OWN_LABELS).nullable(),
  /** Whether it may die during recovery. */
  mayDieRecovering: z.boolean(),
});
export type Life = z.infer<typeof Life>;

export const launchWorker = (life: Life, environment: Record<string, string>): ChildProcess =>
  launch({ file: "bench/provider/worker-process.ts", environment: { ...environment, LIFE: JSON.stringify(life) } });
