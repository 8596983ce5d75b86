import { z } from "zod";
import { Required } from "@/lib/contract/shared";
import { SUSPICION_STATES } from "@/lib/db/enums/suspicions";
import { PastDay } from "@/lib/text/field-rules";
import { REPORT_NUMBER_MAX, SUSPICION_NOTE_MAX, SUSPICION_VIEWS } from "./view";

const Text = Required.max(SUSPICION_NOTE_MAX);

/** `suspicionId`: one press of the button. `occurredOn`: the day of the operation or situation, as people write it. */
export const Raising = z.object({ suspicionId: z.uuid(), kycUUID: Required, occurredOn: PastDay, text: Text });
export type Raising = z.output<typeof Raising>;

const step = { suspicionId: z.uuid(), stepId: z.uuid(), text: Text, seen: z.uuid() };

/** `seen`: the last step that was on the screen. To the state in which it is: a note, or the report's data corrected. */
export const Moving = z.discriminatedUnion("to", [
  z.object({ ...step, to: z.literal("reported"), reportNumber: Required.max(REPORT_NUMBER_MAX), reportedOn: PastDay }),
  z.object({ ...step, to: z.enum(SUSPICION_STATES).exclude(["reported"]) }),
]);
export type Moving = z.output<typeof Moving>;

export const SuspicionFilter = z.object({
  view: z.enum(SUSPICION_VIEWS).catch("due"),
  page: z.coerce.number().int().min(1).max(10_000).catch(1),
});
export type SuspicionFilter = z.output<typeof SuspicionFilter>;
