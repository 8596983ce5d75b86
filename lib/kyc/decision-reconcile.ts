import { and, desc, eq, gt, gte, lt, ne, notExists, or, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Actor } from "@/lib/permission/grant";
import { intents } from "@/lib/provider/intents/intent";
import { ofIntent, wasSaid } from "@/lib/provider/intents/intent-record";
import { providerIntent } from "@/lib/db/tables/provider";
import { kycCase, kycDecision } from "@/lib/db/tables/kyc";
import { db, type Db } from "@/lib/db/connection";
import { decideCase } from "./decide";

function laterDecision(store: Db) {
  const later = alias(kycDecision, "later");
  const laterIntent = alias(providerIntent, "later_intent");
  return store
    .select({ intentId: later.intentId })
    .from(later)
    .innerJoin(laterIntent, and(eq(laterIntent.tenant, later.tenant), eq(laterIntent.id, later.intentId)))
    .where(
      and(
        eq(later.tenant, kycDecision.tenant),
        eq(later.kycUUID, kycDecision.kycUUID),
        gt(later.createdAt, kycDecision.createdAt),
        ne(laterIntent.state, "REFUSED"),
      ),
    );
}

const decisionsWhere = (store: Db, tenant: string, holds: SQL | undefined) =>
  store
    .select({ intentId: kycDecision.intentId, kycUUID: kycDecision.kycUUID })
    .from(kycDecision)
    .innerJoin(providerIntent, ofIntent(kycDecision))
    .innerJoin(kycCase, and(eq(kycCase.tenant, kycDecision.tenant), eq(kycCase.kycUUID, kycDecision.kycUUID)))
    .where(and(eq(kycDecision.tenant, tenant), holds, notExists(laterDecision(store))));

/** Settled decisions that the provider now shows otherwise. */
export async function contradictDecisions(store: Db, actor: Actor<"kyc:read">): Promise<void> {
  const { status, changedAt, seenAt } = kycCase;
  const { state, finishedAt, firstSentAt } = providerIntent;
  const tookEffect = and(eq(state, "REFUSED"), eq(status, kycDecision.decision), gt(changedAt, finishedAt));
  const stayedAsItWas = and(
    eq(state, "DONE"),
    ne(status, kycDecision.decision),
    lt(changedAt, firstSentAt),
    gt(seenAt, finishedAt),
  );
  const contradicted = await decisionsWhere(store, actor.tenant, and(wasSaid, or(tookEffect, stayedAsItWas)));
  for (const { intentId } of contradicted) await intents.contradict(actor, decideCase.intent, intentId);
}

const MAX_ASKED = 5;

/** Cases with an unanswered decision, reread at growing intervals: half the time since sending. */
export async function unansweredDue(store: Db, tenant: string): Promise<string[]> {
  const sinceMs = sql`clock_timestamp() - ${providerIntent.firstSentAt}`;
  const wait = sql`least(interval '10 minutes', greatest(interval '2 seconds', (${sinceMs}) / 2))`;
  const isDue = sql`${kycCase.seenAt} <= clock_timestamp() - ${wait}`;
  const rows = await decisionsWhere(store, tenant, and(eq(providerIntent.state, "UNKNOWN"), isDue))
    .orderBy(desc(providerIntent.firstSentAt))
    .limit(MAX_ASKED);
  return rows.map(({ kycUUID }) => kycUUID);
}

/** An unanswered decision is confirmed once the provider shows its effect. */
export async function confirmSeen(actor: Actor<"kyc:read">): Promise<void> {
  const store = await db();
  const isShown = and(
    eq(providerIntent.state, "UNKNOWN"),
    eq(kycCase.status, kycDecision.decision),
    // Only a change after it, which no later decision explains, can be its effect.
    gte(kycCase.changedAt, providerIntent.firstSentAt),
  );
  const seen = await decisionsWhere(store, actor.tenant, isShown);
  for (const { intentId } of seen) await intents.confirm(actor, decideCase.intent, intentId);
}
