import { z } from "zod";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { refreshOnboarding } from "@/lib/onboarding/records";
import { CustomerQuery } from "@/lib/onboarding/rules";

export const LookUp = z.object({ query: CustomerQuery });

/** `accountRef` opens the account's screen; without an account yet, `onboardingRef` opens the onboarding's. */
export type Found = { accountRef: string } | { onboardingRef: string };

/** Finds a customer by CPF, CNPJ or onboarding id, and keeps an opaque reference to go on with. */
export async function lookUp(actor: Actor<"accounts:read">, { query }: z.output<typeof LookUp>): Promise<Found> {
  const { id, accountRef } = await refreshOnboarding(actor, query, {
    also: (tx, kept) =>
      record(tx, {
        tenant: actor.tenant,
        actor: actor.id,
        code: "accounts.look-up",
        outcome: "DONE",
        object: kept.accountRef === null ? `onboarding:${kept.id}` : `account:${kept.accountRef}`,
      }),
  });
  return accountRef === null ? { onboardingRef: id } : { accountRef };
}
