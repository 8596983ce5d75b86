import { z } from "zod";
import { maskWithin } from "@/lib/contract/document";
import { findIn } from "@/lib/contract/open-answer";
import { stateIn } from "@/lib/contract/told-state";

/**
 * The displayed part of a finished transfer; its transaction is null when the answer, which the interface may not
 * document, names none. Null for a lost answer.
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

/** A TED's answer is not documented. Anything beyond its state is stored when it did not confirm. */
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
