import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { refreshOnboarding } from "@/lib/onboarding/records";
import { CustomerQuery } from "@/lib/onboarding/rules";
import { account } from "@/lib/store/schema";
import { db } from "@/lib/store/store";

export const LookUp = z.object({ query: CustomerQuery });

/** `accountRef` opens the account's screen; without an account yet, `onboardingRef` opens the onboarding's. */
export type Found = { accountRef: string } | { onboardingRef: string };

/** Finds a customer by CPF, CNPJ or onboarding id, and keeps an opaque reference to go on with. */
export async function lookUp(actor: Actor<"accounts:read">, { query }: z.output<typeof LookUp>): Promise<Found> {
  const { id, record: answer } = await refreshOnboarding(actor, query);
  const { accountId } = answer.data.body.account;
  const store = await db();
  const [row] =
    accountId === null
      ? []
      : await store
          .select({ ref: account.ref })
          .from(account)
          .where(and(eq(account.tenant, actor.tenant), eq(account.accountId, accountId)));
  await record(store, {
    tenant: actor.tenant,
    actor: actor.id,
    code: "accounts.look-up",
    outcome: "DONE",
    object: row === undefined ? `onboarding:${id}` : `account:${row.ref}`,
  });
  return row === undefined ? { onboardingRef: id } : { accountRef: row.ref };
}
