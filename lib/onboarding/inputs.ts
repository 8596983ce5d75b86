import { z } from "zod";
import { documentAmong, isCnpj, isCpf, restoredDocuments } from "@/lib/contract/document";
import { refuseUnclear } from "@/lib/contract/document-schema";
import { normaliseDocument, pasted } from "@/lib/contract/fold";
import type { OnboardingStatus } from "@/lib/contract/onboarding";
import { Required } from "@/lib/contract/shared";
import { AGES, LEAST_RETURNS, ONBOARDING_ORDERS, ONBOARDING_VIEWS } from "./view";
import { ACTORS, ONBOARDING_KINDS, STAGES } from "@/lib/db/enums/onboarding";
import { QUERY_MAX } from "@/lib/text/page";

/** Queue filter from the URL; invalid values become the default. */
export const OnboardingFilter = z.object({
  status: z.enum(ONBOARDING_VIEWS).catch("open"),
  acts: z.enum(ACTORS).optional().catch(undefined),
  stage: z.enum(STAGES).optional().catch(undefined),
  kind: z.enum(ONBOARDING_KINDS).optional().catch(undefined),
  age: z.enum(AGES).optional().catch(undefined),
  returns: z.enum(LEAST_RETURNS).optional().catch(undefined),
  /** By one of our onboardings: a document never appears in a URL. */
  person: z.uuid().optional().catch(undefined),
  sort: z.enum(ONBOARDING_ORDERS).catch("begun"),
  dir: z.enum(["desc", "asc"]).catch("desc"),
  page: z.coerce.number().int().min(1).catch(1),
});
export type OnboardingFilter = z.output<typeof OnboardingFilter>;

const LEAST_ID = 4;

/** Short texts, letters alone, and letters with a space are no known ids. */
export const canBeId = (typed: string) =>
  typed.length >= LEAST_ID && !/^\p{L}+$/u.test(typed) && !(/\s/.test(typed) && /\p{L}/u.test(typed));

/** Of words around one document the document alone, also without its leading zeros; any other text as it is. */
export function customerAmong(text: string): string {
  const typed = documentAmong(text);
  if (isTypedDocument(typed) || canBeId(typed)) return typed;
  const [only, another] = new Set(restoredDocuments(typed).map((document) => document.replace(/^0+/, "")));
  return only === undefined || another !== undefined ? typed : only;
}

/** CPF or CNPJ, or an opaque id without one. Numbers as long as a document must be one, which catches typing errors. */
export const CustomerQuery = Required.max(QUERY_MAX)
  .superRefine(refuseUnclear())
  .transform(customerAmong)
  .refine((typed) => isTypedDocument(typed) || canBeId(typed), { params: { code: "customer" } })
  .transform((typed) => (isTypedDocument(typed) ? normaliseDocument(typed) : pasted(typed)));

export function isTypedDocument(typed: string): boolean {
  const document = normaliseDocument(typed);
  return isCpf(document) || isCnpj(document);
}

const MINUTE_MS = 60_000;

/** Every 30 s in the first five minutes (interface: Limits), then less often. */
export function checkEveryMs(ageMs: number): number {
  if (ageMs < 5 * MINUTE_MS) return MINUTE_MS / 2;
  if (ageMs < 60 * MINUTE_MS) return 2 * MINUTE_MS;
  return ageMs < 24 * 60 * MINUTE_MS ? 10 * MINUTE_MS : 60 * MINUTE_MS;
}

export function nextCheckAt(status: OnboardingStatus, since: Date, now: Date): Date | null {
  if (status === "CONFIRMED" || status === "ERROR") return null;
  return new Date(now.getTime() + checkEveryMs(now.getTime() - since.getTime()));
}
