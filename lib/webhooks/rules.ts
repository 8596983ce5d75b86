import { z } from "zod";
import { RECEIVED_VIEWS } from "./view";

/** Names and ids; never what could be a document, which must not stand in an address. */
const Sought = z
  .string()
  .trim()
  .regex(/^(?=.*[A-Za-z])[\w.:-]{1,120}$/);

/** The event a page begins behind, by its place in the order of arrival. */
const Cursor = z.string().regex(/^\d{1,15}$/);

const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

/** The list's filter as it stands in the address; what does not fit is as if it were not there. */
export const ReceivedFilter = z.object({
  view: z.enum(RECEIVED_VIEWS).catch("all"),
  /** An id of the provider's, the record of ours that it was about (`onboarding:<id>`), or the type of the event. */
  sought: lenient(Sought),
  before: lenient(Cursor),
  after: lenient(Cursor),
});
export type ReceivedFilter = z.output<typeof ReceivedFilter>;
