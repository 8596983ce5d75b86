import { z } from "zod";
import { QueryDate } from "@/lib/contract/shared";
import { civilDaysAgo } from "@/lib/time";

export const STATEMENT_PAGE_SIZE = 50;
const DEFAULT_DAYS = 30;

/** The statement's filter as it stands in the address; what does not fit becomes the default: the last 30 days. */
export const StatementFilter = z
  .object({
    from: QueryDate.optional().catch(undefined),
    to: QueryDate.optional().catch(undefined),
    page: z.coerce.number().int().min(1).catch(1),
    pix: z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]).catch(false),
  })
  .transform(({ from, to, page, pix }) => {
    const end = to ?? civilDaysAgo(0);
    const start = from ?? civilDaysAgo(DEFAULT_DAYS);
    return start <= end ? { from: start, to: end, page, pix } : { from: end, to: start, page, pix };
  });
export type StatementFilter = z.output<typeof StatementFilter>;
