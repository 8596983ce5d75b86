import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/error";
import { onboardingDocument } from "@/lib/store/document";
import { onboarding } from "@/lib/store/schema";
import { db } from "@/lib/store/store";
import { refreshOnboarding } from "./records";
import { CustomerQuery } from "./rules";

export const Following = z.object({ query: CustomerQuery, intentId: z.uuid() });
export const Checking = z.object({ id: z.uuid() });

type Noted = { code: "onboarding.follow" | "onboarding.check"; intentId?: string };

/** Refreshes the onboarding and puts who asked on record, both or neither. */
async function refreshOnRecord(actor: Actor, asked: string, noted: Noted): Promise<{ id: string }> {
  const { id } = await refreshOnboarding(actor, asked, {
    also: (tx, kept) =>
      record(tx, {
        tenant: actor.tenant,
        actor: actor.id,
        outcome: "DONE",
        object: `onboarding:${kept.id}`,
        ...noted,
      }),
  });
  return { id };
}

/** Reads an onboarding that began elsewhere and keeps it in the queue from now on. */
export function follow(
  actor: Actor<"onboarding:follow">,
  { query, intentId }: z.output<typeof Following>,
): Promise<{ id: string }> {
  return refreshOnRecord(actor, query, { code: "onboarding.follow", intentId });
}

/** Asks the provider about one onboarding now instead of at its next turn. */
export async function check(
  actor: Actor<"onboarding:read">,
  { id }: z.output<typeof Checking>,
): Promise<{ id: string }> {
  const store = await db();
  const [row] = await store
    .select({ id: onboarding.id, onBoardingId: onboarding.onBoardingId, documentSealed: onboarding.documentSealed })
    .from(onboarding)
    .where(and(eq(onboarding.tenant, actor.tenant), eq(onboarding.id, id)));
  if (row === undefined) throw new BankError("not-found");
  const asked = row.onBoardingId ?? onboardingDocument(row);
  return refreshOnRecord(actor, asked, { code: "onboarding.check" });
}
