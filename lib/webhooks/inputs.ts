import { z } from "zod";
import { lenient, SearchId } from "@/lib/text/filter";
import { RECEIVED_VIEWS } from "./view";

const Cursor = z.string().regex(/^\d{1,15}$/);

export const ReceivedFilter = z.object({
  view: z.enum(RECEIVED_VIEWS).catch("all"),
  /** The provider's id, our record (`onboarding:<id>`), or the event's type. */
  search: lenient(SearchId),
  before: lenient(Cursor),
  after: lenient(Cursor),
});
export type ReceivedFilter = z.output<typeof ReceivedFilter>;
