import { z } from "zod";
import { maskWithin } from "@/lib/contract/document";
import { Required } from "@/lib/contract/shared";
import { withoutSecrets } from "@/lib/drafts/view";
import { MAIL_CHOICES } from "@/lib/mail/view";

export const VIEW_AREAS = ["kyc", "onboarding", "accounts", "transfers", "wallets"] as const;
export type ViewArea = (typeof VIEW_AREAS)[number];

export const VIEWS_MOST = 20;

const hasNoDocument = (text: string) => maskWithin(text) === text;
const refusesDocuments = { error: "must not hold a document", params: { code: "no-document" } };

const Name = Required.max(40).refine(hasNoDocument, refusesDocuments);
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

const FIELDS_MAX = 200;
const TEXT_MAX_LENGTH = 4_000;

const Fields = z
  .record(z.string().regex(/^[A-Za-z][\w.]{0,79}$/), z.string().max(TEXT_MAX_LENGTH))
  .refine((fields) => Object.keys(fields).length <= FIELDS_MAX, { params: { code: "too-long" } })
  .transform(withoutSecrets);

/** Secret fields are dropped, whoever sends them. */
export const DraftOrder = z.discriminatedUnion("do", [
  z.strictObject({ do: z.literal("save"), draftId: z.uuid(), version: z.int().min(0), fields: Fields }),
  z.strictObject({ do: z.literal("discard"), draftId: z.uuid() }),
  z.strictObject({ do: z.literal("begin") }),
  z.strictObject({ do: z.literal("read") }),
]);
export type DraftOrder = z.output<typeof DraftOrder>;
