import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/error";
import { onboarding } from "@/lib/store/schema";
import { unseal } from "@/lib/store/seal";
import { db } from "@/lib/store/store";
import { refreshOnboarding } from "./records";
import { CustomerQuery } from "./rules";

export const Following = z.object({ query: CustomerQuery, intentId: z.uuid() });
export const Checking = z.object({ id: z.uuid() });

/** Reads an onboarding that began elsewhere and keeps it in the queue from now on. */
export async function follow(
  actor: Actor<"onboarding:follow">,
  input: z.output<typeof Following>,
): Promise<{ id: string }> {
  const { id } = await refreshOnboarding(actor, input.query);
  const { tenant, id: who } = actor;
  await record(await db(), {
    tenant,
    actor: who,
    code: "onboarding.follow",
    outcome: "DONE",
    object: `onboarding:${id}`,
    intentId: input.intentId,
  });
  return { id };
}

/** Asks the provider about one onboarding now instead of at its next turn. */
export async function check(
  actor: Actor<"onboarding:read">,
  { id }: z.output<typeof Checking>,
): Promise<{ id: string }> {
  const [row] = await (
    await db()
  )
    .select({ onBoardingId: onboarding.onBoardingId, documentSealed: onboarding.documentSealed })
    .from(onboarding)
    .where(and(eq(onboarding.tenant, actor.tenant), eq(onboarding.id, id)));
  if (row === undefined) throw new BankError("not-found");
  const refreshed = await refreshOnboarding(actor, row.onBoardingId ?? unseal(row.documentSealed));
  return { id: refreshed.id };
}
