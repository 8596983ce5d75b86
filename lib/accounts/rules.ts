import { z } from "zod";
import { QueryDate } from "@/lib/contract/shared";
import { readDate } from "@/lib/text/typed";
import { civilDaysAgo, firstOfLastDays } from "@/lib/text/time";

export const STATEMENT_PAGE_SIZE = 50;
const DEFAULT_DAYS = 30;

/** A form without its script sends what was typed. */
const Day = z
  .string()
  .transform((text) => readDate(text) ?? text)
  .pipe(QueryDate);

/** The statement's filter as it stands in the address; what does not fit becomes the default: the last 30 days. */
export const StatementFilter = z
  .object({
    from: Day.optional().catch(undefined),
    to: Day.optional().catch(undefined),
    page: z.coerce.number().int().min(1).catch(1),
    /** What the provider calls its first page, and what the page before was: known to who comes from there. */
    first: z.coerce.number().int().min(0).max(1_000).optional().catch(undefined),
    after: z
      .string()
      .regex(/^[\da-f]{16}$/)
      .optional()
      .catch(undefined),
    pix: z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]).catch(false),
  })
  .transform(({ from, to, ...rest }) => {
    const end = to ?? civilDaysAgo(0);
    const start = from ?? firstOfLastDays(DEFAULT_DAYS);
    return start <= end ? { from: start, to: end, ...rest } : { from: end, to: start, ...rest };
  });
export type StatementFilter = z.output<typeof StatementFilter>;
