import { z } from "zod";
import { KYC_DECISIONS, KYC_TYPES, REASON_MAX_LENGTH } from "@/lib/contract/kyc";
import { Required } from "@/lib/contract/shared";
import { KYC_VIEWS } from "@/lib/kyc-view";

/** The queue's filter as it stands in the address; what does not fit becomes the default. */
export const KycFilter = z.object({
  status: z.enum(KYC_VIEWS).catch("open"),
  type: z.enum(KYC_TYPES).optional().catch(undefined),
  page: z.coerce.number().int().min(1).catch(1),
});
export type KycFilter = z.output<typeof KycFilter>;

/** A decision as the dialog sends it: `expected` is the state that the person saw when it opened. */
export const CaseDecision = z.object({
  intentId: z.uuid(),
  kycUUID: Required,
  decision: z.enum(KYC_DECISIONS),
  reason: Required.max(REASON_MAX_LENGTH),
  expected: z.object({ status: z.string(), process: z.string() }),
});
export type CaseDecision = z.output<typeof CaseDecision>;
