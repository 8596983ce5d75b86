import { z } from "zod";
import { Required, Secret } from "@/lib/contract/shared";
import { identifiersIn } from "@/lib/text/tipping-off";
import { CLOSING_REASON_MAX, CLOSING_USER_MAX } from "./view";

const holdsNoIdentifier = (text: string) => identifiersIn(text).length === 0;

/** What somebody wants closed, and why, as the form sends it. */
export const ClosureForm = z.strictObject({
  /** Made when the form opened. */
  intentId: z.uuid(),
  /** Of the account. */
  ref: z.uuid(),
  userId: Required.max(CLOSING_USER_MAX),
  reason: Required.max(CLOSING_REASON_MAX).refine(holdsNoIdentifier, { params: { code: "no-identifier" } }),
});
export type ClosureForm = z.output<typeof ClosureForm>;

/** What only the holder has: passed on once, and kept nowhere. */
export const HolderProof = z.strictObject({
  userAccessToken: Secret.max(8192),
  code: z
    .string()
    .transform((typed) => typed.replaceAll(/\s/g, ""))
    .pipe(z.string().refine((digits) => /^\d{6}$/.test(digits), { params: { code: "six-digits" } })),
});
export type HolderProof = z.output<typeof HolderProof>;

/** To carry out what a second person authorised. */
export const CarryingOut = HolderProof.extend({ approvalId: z.uuid() });

/** To close at once, where the policy asks for nobody else. */
export const ClosingNow = z.strictObject({ ...ClosureForm.shape, ...HolderProof.shape });

/** A closure as it is frozen: with what the account held when it was proposed, in reais with two decimals. */
export const ClosureOrder = z.strictObject({
  ...ClosureForm.shape,
  /** As the provider prints it. */
  number: Required,
  seen: z.strictObject({ balance: z.string(), blockedBalance: z.string() }),
});
export type ClosureOrder = z.output<typeof ClosureOrder>;
