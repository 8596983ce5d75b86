import { z } from "zod";
import { Required } from "@/lib/contract/shared";
import {
  CUSTOMER_KINDS,
  type CustomerKind,
  type CustomerObject,
  NOTE_MAX_LENGTH,
  NOTE_MIN_LENGTH,
  REVEAL_REASONS,
  REVEALING_KINDS,
} from "@/lib/customer";

/** One document, for one person, with why. */
export const Revealing = z.object({
  kind: z.enum(REVEALING_KINDS),
  id: z.uuid(),
  reason: z.enum(REVEAL_REASONS),
  note: z
    .string()
    .trim()
    .max(NOTE_MAX_LENGTH)
    .refine((note) => note.length >= NOTE_MIN_LENGTH, { params: { code: "too-short" } })
    .pipe(Required),
});
export type Revealing = z.output<typeof Revealing>;

/** A record of one customer's, as an address names it; what does not fit names none. */
export const CustomerRecord = z.object({ kind: z.enum(CUSTOMER_KINDS).catch("kyc"), id: z.string().catch("") });
export type CustomerRecord = z.output<typeof CustomerRecord>;

export const objectOf = ({ kind, id }: { kind: CustomerKind; id: string }): CustomerObject => `${kind}:${id}`;
