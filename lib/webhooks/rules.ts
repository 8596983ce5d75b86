import { z } from "zod";
import { RECEIVED_VIEWS } from "./view";

/** Never what could be a document, which must not stand in an address. */
const Sought = z
  .string()
  .trim()
  .regex(/^(?=.*[A-Za-z])[\w.:-]{1,120}$/);

const Cursor = z.string().regex(/^\d{1,15}$/);

const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

export const ReceivedFilter = z.object({
  view: z.enum(RECEIVED_VIEWS).catch("all"),
  /** The provider's id, our record (`onboarding:<id>`), or the event's type. */
  sought: lenient(Sought),
  before: lenient(Cursor),
  after: lenient(Cursor),
});
export type ReceivedFilter = z.output<typeof ReceivedFilter>;
