import { and, eq, gt, gte, lt, ne, notExists, notInArray } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { record } from "@/lib/audit/record";
import { type Actor, watchActor } from "@/lib/auth/grant";
import { bank } from "@/lib/bank/bank";
import { listKyc } from "@/lib/bank/operations";
import type { KycRecord } from "@/lib/contract/kyc";
import { kycCase, kycDecision } from "@/lib/store/schema";
import { db } from "@/lib/store/store";
import type { Watch } from "@/lib/watch";
import { bringsNews, noteAsked, saveRecords } from "./records";

const MOST_PAGES = 500;
const FULL_SWEEP_EVERY_MS = 10 * 60_000;
const MOST_SINGLE_READS = 20;
/** Longer than any call can take: who is still sending by then died. */
const ABANDONED_AFTER_MS = 60_000;

/**
 * Reads the list page by page. How the provider pages is not documented: a page that brings nothing unseen, or less
 * than a full page, is the last one.
 */
async function sweepList(actor: Actor<"kyc:read">, isFull: boolean): Promise<void> {
  const store = await db();
  const seen = new Set<string>();
  const pages: { records: KycRecord[]; askedAt: Date }[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const askedAt = new Date();
    const list = await bank.get(actor, listKyc, { query: page === 1 ? {} : { page } });
    const fresh: KycRecord[] = list.result.filter(({ kycUUID }) => !seen.has(kycUUID));
    for (const { kycUUID } of fresh) seen.add(kycUUID);
    pages.push({ records: fresh, askedAt });
    if (fresh.length === 0 || list.result.length < list.limit) break;
    if (!isFull && !(await bringsNews(store, actor.tenant, fresh))) break;
  }
  // The oldest page first, so that the order of arrival is kept.
  for (const page of pages.toReversed()) await store.transaction((tx) => saveRecords(tx, actor.tenant, page));
}

/** Open cases that the short sweep did not reach are asked for one by one, the longest unseen first. */
async function sweepUnreached(actor: Actor<"kyc:read">, startedAt: Date): Promise<void> {
  const store = await db();
  const rows = await store
    .select({ kycUUID: kycCase.kycUUID })
    .from(kycCase)
    .where(
      and(
        eq(kycCase.tenant, actor.tenant),
        notInArray(kycCase.status, ["APPROVED", "REPROVED"]),
        lt(kycCase.seenAt, startedAt),
      ),
    )
    .orderBy(kycCase.seenAt)
    .limit(MOST_SINGLE_READS);
  for (const { kycUUID } of rows) {
    const askedAt = new Date();
    const { result } = await bank.get(actor, listKyc, { query: { kycUUID } });
    await saveRecords(store, actor.tenant, { records: result, askedAt });
    // A case the provider no longer lists takes its turn again after the others.
    if (result.length === 0) await noteAsked(store, actor.tenant, { kycUUID, askedAt });
  }
}

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
    });
  }
}

/** Feeds the KYC queue; reads the whole list on its first sweep and every ten minutes. */
export function createKycWatch(): Watch {
  let fullSweepAtMs = 0;
  return {
    name: "kyc",
    async sweep(tenant) {
      const actor = watchActor("kyc", tenant, "kyc:read");
      const startedAt = new Date();
      const isFull = startedAt.getTime() - fullSweepAtMs >= FULL_SWEEP_EVERY_MS;
      await sweepList(actor, isFull);
      if (isFull) fullSweepAtMs = startedAt.getTime();
      else await sweepUnreached(actor, startedAt);
      await settleDecisions(tenant);
    },
  };
}
