import { z } from "zod";
import { maskWithin } from "@/lib/contract/document";
import { Required } from "@/lib/contract/shared";
import { EVIDENCE_SOURCES, OUTCOMES, REASON_MAX, REFERENCE_MAX } from "./view";
import { identifiersIn } from "@/lib/text/tipping-off";

const holdsNoIdentifier = (text: string) => identifiersIn(text).length === 0;

export const OutcomeOrder = z.strictObject({
  intentId: z.uuid(),
  endedId: z.uuid(),
  outcome: z.enum(OUTCOMES),
  source: z.enum(EVIDENCE_SOURCES),
  // Recorded in clear, so no document may be in it.
  reference: Required.max(REFERENCE_MAX).refine((text) => maskWithin(text) === text, {
    params: { code: "no-identifier" },
  }),
  reason: Required.max(REASON_MAX).refine(holdsNoIdentifier, { params: { code: "no-identifier" } }),
});
export type OutcomeOrder = z.output<typeof OutcomeOrder>;

export const Excluding = z.strictObject({ intentId: z.uuid(), candidate: Required.max(200) });
