import { z } from "zod";
import { KYC_DECISIONS, KYC_TYPES, REASON_MAX_LENGTH } from "@/lib/contract/kyc";
import { Required } from "@/lib/contract/shared";
import { KYC_VIEWS } from "@/lib/kyc-view";
import { Code } from "./case-rules";

export const NOTE_MAX_LENGTH = 4_000;

/** The queue's filter as it stands in the address; what does not fit becomes the default. */
export const KycFilter = z.object({
  status: z.enum(KYC_VIEWS).catch("open"),
  type: z.enum(KYC_TYPES).optional().catch(undefined),
  page: z.coerce.number().int().min(1).catch(1),
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
