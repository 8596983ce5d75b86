import { z } from "zod";
import { ExternalTransfer, InternalTransfer } from "@/lib/contract/accounts";
import { BrlAmount, Required } from "@/lib/contract/shared";

/** Reais as a person writes them, exact to the cent: `150`, `150.7` and `150.70` are all read, the last as it is. */
const Reais = BrlAmount.out.transform((decimal) => {
  const [whole = "", cents = ""] = decimal.split(".");
  return `${whole.replace(/^0+(?=\d)/, "")}.${cents.padEnd(2, "0")}`;
});

const ordered = {
  /** Made when the form opened. */
  intentId: z.uuid(),
  /** The person knows of the transfer like it and wants another one. */
  isRepeat: z.boolean().default(false),
};

/** A transfer between two accounts of the provider, as a form sends it. */
export const InternalOrder = z
  .object({
    ...ordered,
    userId: InternalTransfer.shape.userId,
    accountIdFrom: Required,
    accountIdTo: Required,
    amount: Reais,
    description: Required.optional(),
  })
  .refine((order) => order.accountIdTo !== order.accountIdFrom, { path: ["accountIdTo"], params: { code: "same" } });
export type InternalOrder = z.output<typeof InternalOrder>;

/** A TED, as a form sends it. */
export const ExternalOrder = z.object({ ...ExternalTransfer.shape, ...ordered, value: Reais });
export type ExternalOrder = z.output<typeof ExternalOrder>;
