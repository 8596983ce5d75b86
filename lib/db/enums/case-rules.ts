import { z } from "zod";
import { KYC_DECISIONS, KYC_PROCESSES, KYC_TYPES, REASON_MAX_LENGTH } from "@/lib/contract/kyc";
import { Required } from "@/lib/contract/shared";
import { DEADLINE_HOURS_MAX, OPEN_CASES_MAX, SLA_CLOCKS } from "./kyc";

export const RULE_PARTS = [
  "slaPf",
  "slaPj",
  "slaClock",
  "dueSoon",
  "sharing",
  "approvalReason",
  "refusalReason",
  "checklistPf",
  "checklistPj",
  "stoppedWord",
] as const;

const Hours = z.int().min(1).max(DEADLINE_HOURS_MAX);
/** Never changes its meaning. */
export const Code = z
  .string()
  .max(60)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const Process = z.enum(KYC_PROCESSES).nullable().default(null);
const Item = z.object({ code: Code, text: Required.max(200), process: Process });
export type Item = z.output<typeof Item>;

/** `text` is sent to the provider. A retired one is no longer offered. */
const Reason = z.object({
  code: Code,
  decision: z.enum(KYC_DECISIONS),
  text: Required.max(REASON_MAX_LENGTH),
  isRetired: z.boolean().default(false),
  process: Process,
  kycType: z.enum(KYC_TYPES).nullable().default(null),
});
export type Reason = z.output<typeof Reason>;

export const CaseRules = z.object({
  slaHours: z.object({ PF: Hours, PJ: Hours }),
  /** What the hours of an SLA are; earlier versions lack it and are continuous. */
  slaClock: z.enum(SLA_CLOCKS).optional(),
  /** Hours before its deadline from which a case counts as due. */
  dueSoonHours: Hours,
  reasons: z.array(Reason).min(2).max(60),
  checklist: z.object({ PF: z.array(Item).max(20), PJ: z.array(Item).max(20) }),
  /** Terms that would tip off a customer. */
  stoppedWords: z.array(Required.max(60)).max(200),
  /** Waiting cases are assigned in turn to who is there, up to so many open ones each; null: never. */
  openCasesMax: z.int().min(1).max(OPEN_CASES_MAX).nullable().default(null),
});
export type CaseRules = z.output<typeof CaseRules>;
/** Earlier versions lack what came later. */
export type StoredCaseRules = z.input<typeof CaseRules>;
