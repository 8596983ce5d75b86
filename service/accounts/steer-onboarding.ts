import { eq } from "drizzle-orm";
import { z } from "zod";
import type { OnboardingMessage } from "@/lib/contract/onboarding";
import { instant } from "@/service/clock";
import type { Service } from "@/service/context";
import { cancelScheduled } from "@/service/jobs/schedule";
import type { Tx } from "@/service/store/db";
import { transaction } from "@/service/store/transaction";
import { confirmOnboarding, refuseOnboarding, requireOfHolder } from "./decide-onboarding";
import { findOnboarding, lockOnboarding, type Onboarding, onboardingRecord } from "./onboarding";
import { ONBOARDING_CHECK } from "./request-account";
import { onboarding } from "./schema";

const Message = z.looseObject({
  id: z.enum(["onboarding-backgroundcheck", "onboarding-biometrics"]).default("onboarding-backgroundcheck"),
  date: z.iso.datetime({ offset: true }).optional(),
  message: z.string().min(1),
  status: z.string().default("proposal-reproved"),
  actionRequired: z.boolean().default(false),
  url: z.url().optional(),
});

export const OnboardingDecision = z.looseObject({
  status: z.enum(["CONFIRMED", "ERROR"]).optional(),
  biometricUrl: z.url().nullable().optional(),
  messages: z.array(Message).optional(),
});
type OnboardingDecision = z.output<typeof OnboardingDecision>;

/** Messages as the record shows them; a refusal never goes without a reason. */
function messagesOf(service: Service, { status, messages }: OnboardingDecision): OnboardingMessage[] | undefined {
  const date = instant(service.clock).toISOString();
  const isUnexplained = status === "ERROR" && !messages?.length;
  const given = isUnexplained
    ? [Message.parse({ message: "A proposta não foi aprovada na verificação cadastral." })]
    : messages;
  return given?.map((message) => ({ ...message, date: message.date ?? date }));
}

async function decide(service: Service, tx: Tx, { row, decision }: { row: Onboarding; decision: OnboardingDecision }) {
  const messages = messagesOf(service, decision);
  if (decision.status === "ERROR") return refuseOnboarding(service, tx, { row, messages: messages ?? [] });
  const wanted = {
    ...(decision.biometricUrl !== undefined && { biometricUrl: decision.biometricUrl }),
    ...(messages && { messages }),
  };
  if (Object.keys(wanted).length > 0) await requireOfHolder(service, tx, { row, ...wanted });
  if (decision.status === "CONFIRMED") return confirmOnboarding(service, tx, row);
}

/** What the banking provider decides about a request, of any tenant (assumption: control routes). 409 once decided. */
export async function steerOnboarding(service: Service, id: string, decision: OnboardingDecision) {
  return transaction(service.db, async (tx) => {
    await decide(service, tx, { row: await lockOnboarding(tx, id), decision });
    if (decision.status) await cancelScheduled(tx, ONBOARDING_CHECK, id);
    const decided = await findOnboarding(tx, eq(onboarding.id, id));
    return onboardingRecord(decided);
  });
}
