import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/error";
import { storeNow } from "@/lib/store/clock";
import { onboardingDocument } from "@/lib/store/document";
import { onboarding } from "@/lib/store/schema";
import { db } from "@/lib/store/store";
import { refreshOnboarding } from "./records";

export const Checking = z.object({ id: z.uuid() });

/** How long after somebody had one checked it is not asked about again: many who press cost one call. */
export const CHECK_REST_MS = 10_000;

/** `isAsked`: the provider was asked just now; else it had been a moment ago. `restMs`: until it may be asked again. */
export type Checked = { id: string; isAsked: boolean; restMs: number };

/** Asks the provider about one onboarding now instead of at its next turn. Throws not-found. */
export async function check(actor: Actor<"onboarding:read">, { id }: z.output<typeof Checking>): Promise<Checked> {
  const { tenant } = actor;
  const store = await db();
  const isIt = and(eq(onboarding.tenant, tenant), eq(onboarding.id, id));
  const [row] = await store.select().from(onboarding).where(isIt);
  if (row === undefined) throw new BankError("not-found");
  const restedMs = row.askedAt === null ? CHECK_REST_MS : (await storeNow(store)).getTime() - row.askedAt.getTime();
  if (restedMs < CHECK_REST_MS) return { id, isAsked: false, restMs: CHECK_REST_MS - restedMs };
  const kept = await refreshOnboarding(actor, row.onBoardingId ?? onboardingDocument(row), {
    also: async (tx) => {
      await tx
        .update(onboarding)
        .set({ askedAt: sql`clock_timestamp()` })
        .where(isIt);
      const what = { code: "onboarding.check", outcome: "DONE", object: `onboarding:${id}` } as const;
      await record(tx, { tenant, actor: actor.id, ...what });
    },
  });
  return { id: kept.id, isAsked: true, restMs: CHECK_REST_MS };
}
