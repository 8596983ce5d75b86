import { z } from "zod";
import { mayHoldDocument } from "@/lib/contract/document";
import { pasted } from "@/lib/contract/fold";
import { QueryDate } from "@/lib/contract/shared";
import { SEARCH_MAX } from "./page";
import { readAmount } from "./typed-amount";
import { readDate, readMinute } from "./typed-date";
import { isOfDocument, isPartOfDocument } from "./typed-document";

const DAY_LENGTH = "yyyy-MM-dd".length;

/** `yyyy-MM-ddTHH:mm` in São Paulo, or as typed, which a form without a script sends. */
export const FilterMinute = z
  .string()
  .transform((text) => readMinute(text) ?? text)
  .pipe(
    z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/)
      // PostgreSQL has no year zero and no 31st of February.
      .refine((text) => !text.startsWith("0000") && QueryDate.safeParse(text.slice(0, DAY_LENGTH)).success),
  );

/** `yyyy-MM-dd`, or as typed, which a form without a script sends. */
export const FilterDay = z
  .string()
  .transform((text) => readDate(text) ?? text)
  .pipe(QueryDate);

/** An amount to search for, as typed or as a decimal string. */
export const FilterAmount = z
  .string()
  .transform((text) => readAmount(text) ?? "")
  .pipe(z.string().min(1))
  .optional()
  .catch(undefined);

export const FIGURE_DAYS = [14, 30, 90] as const;
export type FigureDays = (typeof FIGURE_DAYS)[number];

export function readDays(value: unknown): FigureDays {
  return FIGURE_DAYS.find((days) => String(days) === value) ?? 14;
}

/** An id or a name that may be in a URL: never a possible document. */
export const SearchId = z
  .string()
  .transform(pasted)
  .pipe(z.string().regex(/^(?=.*[A-Za-z])[\w.:-]{1,120}$/))
  .refine((text) => !mayHoldDocument(text));

/** Neither a document nor the visible part of its mask may be in a URL. */
export const SearchText = z
  .string()
  .trim()
  .min(1)
  .max(SEARCH_MAX)
  .refine((text) => !mayHoldDocument(text))
  .refine((text) => !isOfDocument(text) && !text.split(/\s+/).some(isPartOfDocument));

/** An invalid value in a URL counts as none. */
export const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);
