import { z } from "zod";
import { FilterMinute, lenient, SearchId, SearchText } from "@/lib/text/filter";
import { PERIODS, settlePeriod } from "@/lib/text/period";
import { MISSING_VIEWS } from "./missing-view";
import { ABOUT, EVENT_STATES, RECEIVED_VIEWS, REFUSALS, WEBHOOK_EVENTS } from "./view";

const Cursor = z.string().regex(/^\d{1,15}$/);

export const ReceivedFilter = z
  .object({
    view: z.enum(RECEIVED_VIEWS).catch("all"),
    /** The provider's id, our record (`onboarding:<id>`), or the event's type. */
    search: lenient(SearchId),
    event: lenient(z.enum(WEBHOOK_EVENTS)),
    outcome: lenient(z.enum(EVENT_STATES)),
    about: lenient(z.enum(ABOUT)),
    /** In what is shown of its body and headers. */
    text: lenient(SearchText),
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

export const DrillFilter = z.object({
  /** The newest without one. */
  drill: lenient(z.uuid()),
});
export type DrillFilter = z.output<typeof DrillFilter>;

export const RefusedFilter = z
  .object({
    why: lenient(z.enum(REFUSALS)),
    /** The id that it came with, or its type. */
    search: lenient(SearchId),
    period: lenient(z.enum(PERIODS)),
    from: lenient(FilterMinute),
    to: lenient(FilterMinute),
    before: lenient(Cursor),
    after: lenient(Cursor),
  })
  .transform((filter) => settlePeriod(filter, filter.period));
export type RefusedFilter = z.output<typeof RefusedFilter>;

const Replayed = {
  /** One delivery; else those that the filter fits. */
  delivery: lenient(z.uuid()),
  filter: ReceivedFilter,
};

export const ReplayScope = z.object(Replayed);
export type ReplayScope = z.output<typeof ReplayScope>;

/** As an address has it: `delivery`, else a list's filter. */
export const replayScopeOf = ({ delivery, ...filter }: Record<string, unknown>): ReplayScope =>
  ReplayScope.parse({ delivery, filter });

/** `id` is made with the plan, so that a second press repeats the first; deliveries after `upTo` are no part of it. */
export const ReplayStart = z.strictObject({
  ...Replayed,
  delivery: z.uuid().optional(),
  id: z.uuid(),
  upTo: z.int().min(0),
});
export type ReplayStart = z.output<typeof ReplayStart>;

export const ReplayStop = z.strictObject({ id: z.uuid() });
