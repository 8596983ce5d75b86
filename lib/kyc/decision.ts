import { and, desc, eq, gt, gte, lt, ne, notExists, or, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { z } from "zod";
import { recordIncident } from "@/lib/audit/incident";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { intents } from "@/lib/provider/intents/intent";
import { type Intent, type IntentEnd, intentKind, wasSaid } from "@/lib/provider/intents/intent-record";
import { decideKyc } from "@/lib/provider/operations";
import { providerIntent } from "@/lib/db/tables/provider";
import { KYC_DECISIONS } from "@/lib/contract/kyc";
import { isStorable } from "@/lib/contract/shared";
import { type Ending, recordSeal, sealDossier, type SealedEnding, sealOvertaken } from "@/lib/dossiers/records";
import { publish } from "@/lib/db/publish";
import type { OutcomeSubject } from "@/lib/provider/intents/outcome-kind";
import { recordAccess } from "@/lib/audit/access-log";
import { type CheckedItem, kycCase, kycDecision } from "@/lib/db/tables/kyc";
import { db, type Db, type Tx } from "@/lib/db/connection";
import { identifiersIn, stopsIn } from "@/lib/text/tipping-off";
import type { CaseRules, Reason } from "@/lib/db/enums/case-rules";
import { caseRulesAt, caseRulesOf, checklistOf, reasonsOf } from "./case-rules";
import { type CaseKey, lastDecision, noteEvents, requireOwnCase, whereCase } from "./decisions";
import type { CaseEventKind } from "@/lib/db/enums/kyc";
import { findCase, type KycRow } from "./queue";
import type { CaseDecision } from "./inputs";
import { includesReason } from "./view";

export type DecisionTerms = {
  row: KycRow;
  isMine: boolean;
  rulesVersion: number;
  reasons: Pick<Reason, "code" | "decision" | "text">[];
  checklist: { code: string; text: string }[];
  stoppedWords: string[];
  lastDecision: { decision: "APPROVED" | "REPROVED"; byName: string; at: string } | null;
};

/** Records the access. Throws `AppError` not-found. */
export async function readDecisionTerms(actor: Actor<"kyc:decide">, kycUUID: string): Promise<DecisionTerms> {
  const { tenant, id } = actor;
  const store = await db();
  const key = { tenant, kycUUID };
  const found = isStorable(kycUUID) ? await findCase(store, key) : null;
  if (found === null) throw new AppError("not-found", { code: "kyc-case" });
  const { row } = found;
  await recordAccess(actor, `kyc:${kycUUID}`);
  const { version, rules } = await caseRulesOf(store, tenant);
  const last = await lastDecision(store, key, null);
  return {
    row,
    isMine: row.assignee?.id === id,
    rulesVersion: version,
    reasons: reasonsOf(rules.reasons, row).map(({ code, decision, text }) => ({ code, decision, text })),
    checklist: checklistOf(rules, row).map(({ code, text }) => ({ code, text })),
    stoppedWords: rules.stoppedWords,
    lastDecision: last === null ? null : { decision: last.decision, byName: last.by.name, at: last.by.since },
  };
}

const wrong = (field: keyof CaseDecision, code: string) =>
  new AppError("invalid", { issues: [{ path: [field], params: { code } }] });

/** The confirmed items in the words of that version. */
export async function confirmedOf(store: Db | Tx, tenant: string, order: CaseDecision): Promise<CheckedItem[]> {
  const { kycUUID, checklist, rulesVersion, expected } = order;
  if (checklist.length === 0) return [];
  const rules = await caseRulesAt(store, tenant, rulesVersion);
  const [row] = await selectCase(store, { tenant, kycUUID });
  if (rules === null) return [];
  const kind = { kycType: row?.kycType ?? "PF", process: expected.process };
  return withConfirmed(checklistOf(rules, kind), checklist);
}

type Items = ReturnType<typeof checklistOf>;

const withConfirmed = (items: Items, confirmed: readonly string[]): CheckedItem[] =>
  items.map(({ code, text }) => ({ code, text, isChecked: confirmed.includes(code) }));

export const selectCase = (store: Db | Tx, key: CaseKey) => {
  const { kycType, status, process } = kycCase;
  return store.select({ kycType, status, process }).from(kycCase).where(whereCase(key));
};

export function refuseStopped({ stoppedWords }: CaseRules, { reason }: CaseDecision): void {
  if (identifiersIn(reason).length > 0) throw wrong("reason", "no-identifier");
  const [stop] = stopsIn(reason, stoppedWords);
  if (stop === undefined) return;
  const issues = [{ path: ["reason"], params: { code: "stopped-word", word: stop.word } }];
  throw new AppError("invalid", { code: "reason-stopped", issues });
}

/** Throws conflict `case-not-yours`, `case-changed` and `rules-changed`, and invalid with the field. */
export async function validateDecision(tx: Tx, actor: Actor<"kyc:decide">, order: CaseDecision): Promise<void> {
  const { tenant, id } = actor;
  const { kycUUID, decision, reason, reasonCode, checklist, expected } = order;
  const key = { tenant, kycUUID };
  await requireOwnCase(tx, key, id);
  const [stored] = await selectCase(tx, key);
  if (stored === undefined) throw new AppError("not-found", { code: "kyc-case" });
  const { kycType, ...current } = stored;
  const kind = { kycType, process: current.process };
  if (current.status !== expected.status || current.process !== expected.process) {
    throw new AppError("conflict", { code: "case-changed", current });
  }
  if (current.status === decision) throw wrong("decision", "same-decision");
  const { version, rules } = await caseRulesOf(tx, tenant);
  if (order.rulesVersion !== version) throw new AppError("conflict", { code: "rules-changed" });
  refuseStopped(rules, order);
  const chosen = reasonsOf(rules.reasons, kind).find(({ code }) => code === reasonCode);
  if (chosen?.decision !== decision || !includesReason(reason, chosen.text)) throw wrong("reasonCode", "reason-code");
  const items = withConfirmed(checklistOf(rules, kind), checklist);
  if (decision === "APPROVED" && !items.every(({ isChecked }) => isChecked)) throw wrong("checklist", "checklist");
}

/** Null when its effect was seen but its answer was lost. */
const Taken = z.object({ decision: z.enum(KYC_DECISIONS) }).nullable();
type Taken = z.infer<typeof Taken>;

async function showOnCase(tx: Tx, { tenant, kycUUID, decision }: typeof kycDecision.$inferSelect): Promise<void> {
  const moved = sql`case when ${kycCase.status} = ${decision} then ${kycCase.changedAt} else clock_timestamp() end`;
  await tx
    .update(kycCase)
    .set({ status: decision, seenAt: sql`clock_timestamp()`, changedAt: moved, decidedAt: moved })
    .where(and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID)));
}

const EVENTS = {
  SENDING: null,
  HELD: "decision-unknown",
  DONE: "decided",
  REFUSED: "decision-refused",
  UNKNOWN: "decision-unknown",
} as const satisfies Record<IntentEnd<Taken>["intent"]["state"], CaseEventKind | null>;

/** Also seals earlier dossiers whose outcome can no longer be learnt after this one. */
async function sealDossiers(tx: Tx, ending: Ending): Promise<SealedEnding[]> {
  const { tenant, object, state } = ending.intent;
  const sealed = [...(await sealDossier(tx, ending)), ...(state === "DONE" ? await sealOvertaken(tx, ending) : [])];
  const kycUUID = object.replace("kyc:", "");
  const noted = sealed.map(({ dossier: { id: dossierId } }) => ({
    tenant,
    kycUUID,
    actor: null,
    detail: { dossierId },
  }));
  await noteEvents(
    tx,
    noted.map((event) => ({ ...event, kind: "dossier-sealed" })),
  );
  return sealed;
}

async function onOutcome(tx: Tx, { intent, by, stored }: IntentEnd<Taken>): Promise<void> {
  const { tenant, id: intentId, state, status, code } = intent;
  const [decided] = await tx
    .select()
    .from(kycDecision)
    .where(and(eq(kycDecision.tenant, tenant), eq(kycDecision.intentId, intentId)));
  if (decided === undefined) throw new Error(`intent ${intentId} has no decision`);
  const { kycUUID, decision } = decided;
  const what = { code: "kyc.decide", object: `kyc:${kycUUID}`, intentId } as const;
  if (stored !== null) await showOnCase(tx, decided);
  const kind = EVENTS[state];
  const event = { tenant, kycUUID, actor: decided.staffId, detail: { intentId, decision, state } };
  if (kind !== null) await noteEvents(tx, [{ ...event, kind }]);
  const sealed = await sealDossiers(tx, { intent, by });
  await publish(tx, { tenant, topic: "kyc", object: kycUUID });
  await record(tx, {
    tenant,
    actor: by,
    outcome: state === "SENDING" ? "INTENT" : state,
    ...what,
    detail: { decision, status, code },
  });
  for (const one of sealed) await recordSeal(tx, one);
}

/** A decision has no Idempotency-Key and overwrites whatever stands (interface: KYC › manual-decision). */
export const decisionKind = intentKind({
  operation: decideKyc,
  isKeyed: false,
  busyCode: "decision-in-flight",
  unconfirmedCode: "decision-unconfirmed",
  stored: Taken,
  toStore: ({ data }) => Taken.safeParse({ decision: data.decision }).data ?? null,
  ended: onOutcome,
  unreadable: recordIncident,
});

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

export async function describeDecision(store: Db | Tx, { tenant, object }: Intent): Promise<OutcomeSubject> {
  const kycUUID = object.replace("kyc:", "");
  const isIt = and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID));
  const [row] = await store.select({ vatNumber: kycCase.vatNumber }).from(kycCase).where(isIt);
  return { subject: row?.vatNumber ?? kycUUID, amount: null, href: `/kyc/${encodeURIComponent(kycUUID)}` };
}

const decisionsWhere = (store: Db, tenant: string, holds: SQL | undefined) =>
  store
    .select({ intentId: kycDecision.intentId, kycUUID: kycDecision.kycUUID })
    .from(kycDecision)
    .innerJoin(
      providerIntent,
      and(eq(providerIntent.tenant, kycDecision.tenant), eq(providerIntent.id, kycDecision.intentId)),
    )
    .innerJoin(kycCase, and(eq(kycCase.tenant, kycDecision.tenant), eq(kycCase.kycUUID, kycDecision.kycUUID)))
    .where(and(eq(kycDecision.tenant, tenant), holds, notExists(laterDecision(store))));

/** Decisions that somebody marked as done or not done, and that the provider now shows otherwise. */
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
  for (const { intentId } of contradicted) await intents.contradict(actor, decisionKind, intentId);
}

const MAX_ASKED = 5;

/** Cases of decisions whose answer was lost, when half of the time since they were sent has passed since they were last read. */
export async function unansweredDue(store: Db, tenant: string): Promise<string[]> {
  const sinceMs = sql`clock_timestamp() - ${providerIntent.firstSentAt}`;
  const wait = sql`least(interval '10 minutes', greatest(interval '2 seconds', (${sinceMs}) / 2))`;
  const isDue = sql`${kycCase.seenAt} <= clock_timestamp() - ${wait}`;
  const rows = await decisionsWhere(store, tenant, and(eq(providerIntent.state, "UNKNOWN"), isDue))
    .orderBy(desc(providerIntent.firstSentAt))
    .limit(MAX_ASKED);
  return rows.map(({ kycUUID }) => kycUUID);
}

/** A decision whose sender died or whose answer was lost is confirmed once the provider shows its effect. */
export async function confirmSeen(actor: Actor<"kyc:read">): Promise<void> {
  const store = await db();
  const isShown = and(
    eq(providerIntent.state, "UNKNOWN"),
    eq(kycCase.status, kycDecision.decision),
    // Only a change that came after it, and that no later decision explains, can be its effect.
    gte(kycCase.changedAt, providerIntent.firstSentAt),
  );
  const seen = await decisionsWhere(store, actor.tenant, isShown);
  for (const { intentId } of seen) await intents.confirm(actor, decisionKind, intentId);
}
