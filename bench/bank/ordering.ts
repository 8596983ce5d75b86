import { z } from "zod";

/** A transfer of the bench; its intent is its description, by which the service's statement names it. */
export const Order = z.object({
  intentId: z.uuid(),
  accountIdFrom: z.string(),
  accountIdTo: z.string(),
  amount: z.string(),
});
export type Order = z.infer<typeof Order>;

/** What a process that orders transfers is asked: to order one, or to take up what is left. */
export const Ordering = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("order"), staffId: z.uuid(), order: Order }),
  z.object({ kind: z.literal("take-up") }),
]);
export type Ordering = z.infer<typeof Ordering>;
