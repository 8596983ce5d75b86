import { and, eq, gt, gte, lt, ne, notExists, or, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Actor } from "@/lib/auth/grant";
import { intents } from "@/lib/bank/intent";
import { wasSaid } from "@/lib/bank/intent-conclusion";
import type { Intent } from "@/lib/bank/intent-kind";
import { bankIntent } from "@/lib/bank/intent-schema";
import type { OutcomeSubject } from "@/lib/outcomes/kind";
import { kycCase } from "@/lib/store/schema";
import { type Db, db, type Tx } from "@/lib/store/store";
import { decisionKind } from "./decision";
import { kycDecision } from "./schema";

/** A later decision on the same case that was not refused. */
function laterDecision(store: Db) {
  const later = alias(kycDecision, "later");
  const laterIntent = alias(bankIntent, "later_intent");
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

/** The case that was decided about, by its masked document. */
export async function describeDecision(store: Db | Tx, { tenant, object }: Intent): Promise<OutcomeSubject> {
  const kycUUID = object.replace("kyc:", "");
  const isIt = and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID));
  const [row] = await store.select({ vatNumber: kycCase.vatNumber }).from(kycCase).where(isIt);
  return { subject: row?.vatNumber ?? kycUUID, amount: null, href: `/kyc/${encodeURIComponent(kycUUID)}` };
}

/** The decisions, with their intents and cases, of which this holds and that no later one explains. */
const decisionsWhere = (store: Db, tenant: string, holds: SQL | undefined) =>
  store
    .select({ intentId: kycDecision.intentId })
    .from(kycDecision)
    .innerJoin(bankIntent, and(eq(bankIntent.tenant, kycDecision.tenant), eq(bankIntent.id, kycDecision.intentId)))
    .innerJoin(kycCase, and(eq(kycCase.tenant, kycDecision.tenant), eq(kycCase.kycUUID, kycDecision.kycUUID)))
    .where(and(eq(kycDecision.tenant, tenant), holds, notExists(laterDecision(store))));

/** Notes of which decisions, that somebody said to have had an effect or none, the provider shows otherwise since. */
export async function contradictDecisions(store: Db, actor: Actor<"kyc:read">): Promise<void> {
  const { status, changedAt, seenAt } = kycCase;
  const { state, finishedAt, firstSentAt } = bankIntent;
  const tookEffect = and(eq(state, "REFUSED"), eq(status, kycDecision.decision), gt(changedAt, finishedAt));
  const stayedAsItWas = and(
    eq(state, "DONE"),
    ne(status, kycDecision.decision),
    lt(changedAt, firstSentAt),
    gt(seenAt, finishedAt),
  );
  const contradicted = await decisionsWhere(store, actor.tenant, and(wasSaid, or(tookEffect, stayedAsItWas)));
  for (const { intentId } of contradicted) await intents.contradict(actor, decisionKind, intentId);
}

/** A decision whose sender died, or whose answer was lost, is confirmed when the provider shows its effect. */
export async function confirmSeen(actor: Actor<"kyc:read">): Promise<void> {
  const store = await db();
  const isShown = and(
    eq(bankIntent.state, "UNKNOWN"),
    eq(kycCase.status, kycDecision.decision),
    // Only a change that came after it, and that no later decision explains, can be its effect.
    gte(kycCase.changedAt, bankIntent.firstSentAt),
  );
  const seen = await decisionsWhere(store, actor.tenant, isShown);
  for (const { intentId } of seen) await intents.confirm(actor, decisionKind, intentId);
}
