import { z } from "zod";
import { maskWithin } from "@/lib/contract/document";
import { Required } from "@/lib/contract/shared";
import { MAIL_CHOICES } from "@/lib/db/enums/mail";
import { VIEW_AREAS } from "@/lib/db/enums/preferences";
import { VIEW_NAME_MAX } from "./view";

export const VIEWS_MAX = 20;

const hasNoDocument = (text: string) => maskWithin(text) === text;
const refusesDocuments = { error: "must not hold a document", params: { code: "no-document" } };

const Name = Required.max(VIEW_NAME_MAX).refine(hasNoDocument, refusesDocuments);
const Search = z
  .string()
  .max(600)
  .transform((text) => new URLSearchParams(text).toString())
  .refine((text) => hasNoDocument(decodeURIComponent(text.replaceAll("+", " "))), refusesDocuments);

/** `id` is made in the browser, so that a repeat saves no second one. */
export const SavingView = z.object({
  id: z.uuid(),
  area: z.enum(VIEW_AREAS),
  name: Name,
  search: Search,
  isDefault: z.boolean(),
});
export type SavingView = z.output<typeof SavingView>;

export const ChangingView = z.object({ id: z.uuid(), name: Name, isDefault: z.boolean() });
export type ChangingView = z.output<typeof ChangingView>;

export const RemovingView = z.object({ id: z.uuid() });
export type RemovingView = z.output<typeof RemovingView>;

export const MailChoosing = z.object({ choice: z.enum(MAIL_CHOICES), isOn: z.boolean() });
