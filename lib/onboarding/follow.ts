import { z } from "zod";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/error";
import { db } from "@/lib/store/store";
import { noteEvents } from "./events";
import { findKept, refreshOnboarding } from "./records";
import { CustomerQuery } from "./rules";

export const Following = z.object({ query: CustomerQuery, intentId: z.uuid() });

/** `isKnown`: it was in the queue before. */
export type Followed = { id: string; isKnown: boolean };

const isUnknown = (error: unknown) => error instanceof BankError && error.kind === "not-found";

/**
 * Reads an onboarding that began elsewhere and keeps it in the queue from now on; one that is kept already leads there, even
 * when the provider knows of it no more. Throws not-found `onboarding-unknown`.
 */
export async function follow(
  actor: Actor<"onboarding:follow">,
  { query, intentId }: z.output<typeof Following>,
): Promise<Followed> {
  const { tenant, id: staffId } = actor;
  const known = await findKept(await db(), tenant, query);
  const [asked] = await Promise.allSettled([
    refreshOnboarding(actor, query, {
      also: async (tx, { id, isNew }) => {
        if (isNew) await noteEvents(tx, [{ tenant, onboardingId: id, kind: "followed", actor: staffId }]);
        const object = `onboarding:${id}`;
        await record(tx, { tenant, actor: staffId, code: "onboarding.follow", outcome: "DONE", object, intentId });
      },
    }),
  ]);
  if (asked.status === "fulfilled") return { id: asked.value.id, isKnown: !asked.value.isNew };
  if (!isUnknown(asked.reason)) throw asked.reason;
  if (known === null) throw new BankError("not-found", { code: "onboarding-unknown" });
  return { id: known.id, isKnown: true };
}
