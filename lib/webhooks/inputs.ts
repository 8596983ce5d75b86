import { z } from "zod";
import { FilterMinute, lenient, SearchId } from "@/lib/text/filter";
import { PERIODS, settlePeriod } from "@/lib/text/period";
import { MISSING_VIEWS } from "./missing-view";
import { RECEIVED_VIEWS, WEBHOOK_EVENTS } from "./view";

const Cursor = z.string().regex(/^\d{1,15}$/);

export const ReceivedFilter = z
  .object({
    view: z.enum(RECEIVED_VIEWS).catch("all"),
    /** The provider's id, our record (`onboarding:<id>`), or the event's type. */
    search: lenient(SearchId),
    event: lenient(z.enum(WEBHOOK_EVENTS)),
    period: lenient(z.enum(PERIODS)),
    from: lenient(FilterMinute),
    to: lenient(FilterMinute),
    before: lenient(Cursor),
    after: lenient(Cursor),
  })
  .transform((filter) => settlePeriod(filter, filter.period));
export type ReceivedFilter = z.output<typeof ReceivedFilter>;

export const MissingFilter = z.object({
  view: z.enum(MISSING_VIEWS).catch("never"),
  page: z.coerce.number().int().min(1).catch(1),
});
export type MissingFilter = z.output<typeof MissingFilter>;
