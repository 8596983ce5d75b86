import { z } from "zod";
import { KYC_DECISIONS, KYC_PROCESSES, KYC_TYPES, REASON_MAX_LENGTH } from "@/lib/contract/kyc";
import { isStorable, Required } from "@/lib/contract/shared";
import { addressable } from "@/lib/kyc-search";
import { KYC_AGES, KYC_DUES, KYC_SORTS, KYC_STANDINGS, KYC_VIEWS } from "@/lib/kyc-view";
import { Code } from "./case-rules";

export const NOTE_MAX_LENGTH = 4_000;

const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

const TAG = /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u;

/** A word of our own on a case: in small letters, without a document in it. */
export const Tag = z
  .string()
  .trim()
  .toLowerCase()
  .max(30)
  .refine((text) => TAG.test(text) && addressable(text) === text, { error: "must be a tag", params: { code: "tag" } });

const Tags = z
  .union([z.string().transform((text) => text.split(",")), z.array(z.string())])
  .pipe(z.array(Tag).min(1).max(5));

const Ids = z
  .union([z.string().transform((text) => text.split(",")), z.array(z.string())])
  .pipe(z.array(z.string().min(1).max(200).refine(isStorable)).min(1).max(100));

const Sought = z
  .string()
  .max(120)
  .refine(isStorable)
  .transform(addressable)
  .pipe(z.string().regex(/^(?=.*[\p{L}\p{N}])[\p{L}\p{N} *._:/-]+$/u));

/** A row of a page's edge: what it is ordered by, in microseconds, and its number. */
const Edge = z.string().regex(/^(\d{1,18}|none)?~-?\d{1,15}$/);

/** The queue's filter as it stands in the address; what does not fit becomes the default. */
export const KycFilter = z.object({
  view: z.enum(KYC_VIEWS).catch("all"),
  status: z.enum(KYC_STANDINGS).catch("open"),
  type: lenient(z.enum(KYC_TYPES)),
  process: lenient(z.enum(KYC_PROCESSES)),
  assignee: lenient(z.uuid()),
  tags: lenient(Tags),
  due: lenient(z.enum(KYC_DUES)),
  age: lenient(z.enum(KYC_AGES)),
  sought: lenient(Sought),
  sort: lenient(z.enum(KYC_SORTS)),
  order: lenient(z.enum(["asc", "desc"])),
  /** The row behind which a page begins, or before which it ends. */
  after: lenient(Edge),
  before: lenient(Edge),
  /** These cases alone. */
  ids: lenient(Ids),
});
export type KycFilter = z.output<typeof KycFilter>;

/** A decision as it is ordered; what an earlier release froze names no code, no rules and no checklist. */
export const CaseDecision = z.object({
  intentId: z.uuid(),
  kycUUID: Required,
  decision: z.enum(KYC_DECISIONS),
  /** What the provider is told, to the letter: the text of the reason, and what the person added to it. */
  reason: Required.max(REASON_MAX_LENGTH),
  /** Which of the reasons. */
  reasonCode: Code.nullable().default(null),
  /** What the team alone reads; it never leaves. */
  note: Required.max(NOTE_MAX_LENGTH).nullable().default(null),
  /** Which items the person confirmed. */
  checklist: z.array(Code).max(20).default([]),
  /** By which version of the rules the person decided. */
  rulesVersion: z.int().min(0).nullable().default(null),
  /** The state that the person saw. */
  expected: z.object({ status: z.string(), process: z.string() }),
});
export type CaseDecision = z.output<typeof CaseDecision>;

/** A decision as the dialog sends it. */
export const CaseDecisionForm = CaseDecision.extend({
  reasonCode: Code,
  checklist: z.array(Code).max(20),
  rulesVersion: z.int().min(0),
});
