import { z } from "zod";
import { Required } from "@/lib/contract/shared";
import { queueSearch } from "@/lib/kyc-view";
import { KycFilter, Tag } from "./rules";

/** The filter of an address, taken only to the letter: what would become a default would reach other cases. */
const Search = z
  .string()
  .max(600)
  .transform((search, context) => {
    const filter = KycFilter.parse(Object.fromEntries(new URLSearchParams(search)));
    if (queueSearch(filter) !== search) context.addIssue({ code: "custom", message: "must be a filter" });
    return filter;
  });

/** Some cases by their ids, or all that fit a filter. */
export const Selection = z.union([
  z.strictObject({ ids: z.array(Required).min(1).max(100) }),
  z.strictObject({ search: Search }),
]);
export type Selection = z.output<typeof Selection>;
export type SelectionGiven = z.input<typeof Selection>;

const Place = z.int();

/** The part of the whole set that one call works: the cases numbered behind `beyond`, up to `upTo`. Null: from the first, to the last there is. */
export const Slice = z.object({ beyond: Place, upTo: Place }).nullable();
export type Slice = z.output<typeof Slice>;

const bulk = { bulkId: z.uuid(), selection: Selection, slice: Slice };

/** `to` null: back to the queue. */
export const AssigningMany = z.object({ ...bulk, to: z.uuid().nullable() });
export type AssigningMany = z.output<typeof AssigningMany>;

export const TaggingMany = z.object({ ...bulk, tag: Tag, isRemoved: z.boolean() });
export type TaggingMany = z.output<typeof TaggingMany>;
