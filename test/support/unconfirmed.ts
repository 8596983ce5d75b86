import { randomUUID } from "node:crypto";
import { OutcomeOrder } from "@/lib/unconfirmed/approvals";

/** What somebody says of the write with this intent, after the provider's support told them. */
export const concluding = (endedId: string, outcome: OutcomeOrder["outcome"]): OutcomeOrder =>
  OutcomeOrder.parse({
    intentId: randomUUID(),
    endedId,
    outcome,
    source: "provider-support",
    reference: "ticket 8731-B",
    reason: "O atendimento conferiu e respondeu por escrito.",
  });

export const notHappened = (endedId: string): OutcomeOrder => concluding(endedId, "NOT_HAPPENED");
export const happened = (endedId: string): OutcomeOrder => concluding(endedId, "HAPPENED");
