import { z } from "zod";
import { maskWithin } from "@/lib/contract/document";
import { Required } from "@/lib/contract/shared";

/** The lists whose filters can be kept. */
export const VIEW_AREAS = ["kyc", "onboarding"] as const;
export type ViewArea = (typeof VIEW_AREAS)[number];

export const VIEWS_MOST = 20;

const hasNoDocument = (text: string) => maskWithin(text) === text;
const refusesDocuments = { error: "must not hold a document", params: { code: "no-document" } };

const Name = Required.max(40).refine(hasNoDocument, refusesDocuments);
/** What stands behind the question mark of the list's address. */
const Search = z
  .string()
  .max(600)
  .transform((text) => new URLSearchParams(text).toString())
  .refine((text) => hasNoDocument(decodeURIComponent(text.replaceAll("+", " "))), refusesDocuments);

/** A filter to keep under a name; `id` is made where it is asked for, so that asking twice keeps it once. */
export const KeepingView = z.object({
  id: z.uuid(),
  area: z.enum(VIEW_AREAS),
  name: Name,
  search: Search,
  isDefault: z.boolean(),
});
export type KeepingView = z.output<typeof KeepingView>;

/** `isDefault`: what the list opens with; at most one is. */
export const ChangingView = z.object({ id: z.uuid(), name: Name, isDefault: z.boolean() });
export type ChangingView = z.output<typeof ChangingView>;

export const RemovingView = z.object({ id: z.uuid() });
export type RemovingView = z.output<typeof RemovingView>;
