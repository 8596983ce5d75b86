import { z } from "zod";
import { maskWithin } from "@/lib/contract/document";
import { findIn } from "@/lib/contract/open-answer";
import { stateIn } from "@/lib/contract/told-state";

/**
 * What is shown of a transfer that is done, its transaction null when the answer, which the interface may not show, names
 * none; null of one whose answer was lost.
 */
export const Receipt = z
  .object({
    transactionId: z.string().nullable(),
    endToEndId: z.string().optional(),
    message: z.string().optional(),
  })
  .nullable();
export type Receipt = z.infer<typeof Receipt>;

const MESSAGE_MAX = 500;

/** The answer of a TED is not shown. What it says besides its state is kept where it did not confirm. */
export function tedReceipt(answer: unknown): NonNullable<Receipt> {
  const { is, message } = stateIn(answer);
  const endToEndId = findIn(answer, "endToEndId")?.text;
  const transactionId = findIn(answer, "transactionId")?.text ?? null;
  return {
    transactionId,
    ...(endToEndId !== undefined && { endToEndId }),
    ...(is !== "DONE" && message !== "" && { message: maskWithin(message).slice(0, MESSAGE_MAX) }),
  };
}
