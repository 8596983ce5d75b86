import { z } from "zod";
import { LANES } from "@/lib/db/enums/provider";
import { CALL_OBJECTS } from "@/lib/audit/object-view";
import { CALL_KINDS, CALL_VIEWS } from "./view";
import { PERIODS, settlePeriod } from "@/lib/text/period";
import { FilterMinute, lenient, SearchId } from "@/lib/text/filter";

const Cursor = z.string().regex(/^\d{1,15}-\d{1,15}$/);

export const CallFilter = z
  .object({
    view: z.enum(CALL_VIEWS).catch("all"),
    kind: lenient(z.enum(CALL_KINDS)),
    lane: lenient(z.enum(LANES)),
    path: lenient(z.string().regex(/^\/v1\/[\w{}/-]{1,100}$/)),
    actor: lenient(SearchId),
    /** A reference of ours or the provider's, an object (`kyc:<kycUUID>`), or its id alone. */
    search: lenient(SearchId),
    period: lenient(z.enum(PERIODS)),
    from: lenient(FilterMinute),
    to: lenient(FilterMinute),
    before: lenient(Cursor),
    after: lenient(Cursor),
  })
  .transform((filter) => settlePeriod(filter, filter.period));
export type CallFilter = z.output<typeof CallFilter>;

export const AboutFilter = z.object({ kind: z.enum(CALL_OBJECTS).catch("kyc"), id: z.string().catch("") });
