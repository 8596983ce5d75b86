import { and, eq, gt, gte, lt, ne, notExists } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { record } from "@/lib/audit/record";
import { watchActor } from "@/lib/auth/grant";
import { publish } from "@/lib/live/publish";
import { kycCase, kycDecision } from "@/lib/store/schema";
import { db } from "@/lib/store/store";
import type { Watch } from "@/lib/watch";
import { sweepList } from "./sweep";

/** Longer than any call can take: who is still sending by then died. */
const ABANDONED_AFTER_MS = 60_000;

/** A decision whose sender died, or whose answer was lost, is confirmed when the provider shows its effect. */
async function settleDecisions(tenant: string): Promise<void> {
  const store = await db();
  const abandonedBefore = new Date(Date.now() - ABANDONED_AFTER_MS);
  await store.transaction(async (tx) => {
    const abandoned = await tx
      .update(kycDecision)
      .set({ state: "UNKNOWN" })
      .where(
        and(
          eq(kycDecision.tenant, tenant),
          eq(kycDecision.state, "SENDING"),
          lt(kycDecision.createdAt, abandonedBefore),
        ),
      )
      .returning();
    for (const { intentId, kycUUID, staffId } of abandoned) {
      const object = `kyc:${kycUUID}`;
      await record(tx, { tenant, actor: staffId, code: "kyc.decide", outcome: "UNKNOWN", object, intentId });
      await publish(tx, { tenant, topic: "kyc", object: kycUUID });
    }
  });
  const later = alias(kycDecision, "later");
  const lost = await store
    .select({ intentId: kycDecision.intentId, kycUUID: kycDecision.kycUUID })
    .from(kycDecision)
    .innerJoin(kycCase, and(eq(kycCase.tenant, kycDecision.tenant), eq(kycCase.kycUUID, kycDecision.kycUUID)))
    .where(
      and(
        eq(kycDecision.tenant, tenant),
        eq(kycDecision.state, "UNKNOWN"),
        eq(kycCase.status, kycDecision.decision),
        // Only a change that came after it, and that no later decision explains, can be its effect.
        gte(kycCase.changedAt, kycDecision.createdAt),
        notExists(
          store
            .select({ intentId: later.intentId })
            .from(later)
            .where(
              and(
                eq(later.tenant, kycDecision.tenant),
                eq(later.kycUUID, kycDecision.kycUUID),
                gt(later.createdAt, kycDecision.createdAt),
                ne(later.state, "REFUSED"),
              ),
            ),
        ),
      ),
    );
  for (const { intentId, kycUUID } of lost) {
    await store.transaction(async (tx) => {
      const done = { state: "DONE", finishedAt: new Date() } as const;
      await tx.update(kycDecision).set(done).where(eq(kycDecision.intentId, intentId));
      const object = `kyc:${kycUUID}`;
      await record(tx, { tenant, actor: "watch:kyc", code: "kyc.decide", outcome: "DONE", object, intentId });
      await publish(tx, { tenant, topic: "kyc", object: kycUUID });
    });
  }
}

/** Feeds the KYC queue, and settles decisions whose end nobody saw. */
export const kycWatch: Watch = {
  name: "kyc",
  topic: "kyc",
  async sweep(tenant) {
    await sweepList({ store: await db(), actor: watchActor("kyc", tenant, "kyc:read") });
    await settleDecisions(tenant);
  },
};
