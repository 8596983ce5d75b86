import { and, desc, eq, ne, notInArray } from "drizzle-orm";
import type { Actor } from "@/lib/permission/grant";
import { AppError, refuse } from "@/lib/errors/app-error";
import type { Holder } from "@/lib/errors/result";
import { maskWithin } from "@/lib/contract/document";
import { type CheckedItem, kycCase, kycDecision } from "@/lib/db/tables/kyc";
import { providerIntent } from "@/lib/db/tables/provider";
import { staff } from "@/lib/db/tables/staff";
import { shownSealed } from "@/lib/db/seal";
import type { Db, Tx } from "@/lib/db/connection";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { identifiersIn, stopsIn } from "@/lib/text/tipping-off";
import type { CaseRules } from "@/lib/db/enums/case-rules";
import { caseCan } from "./can";
import { caseRulesAt, caseRulesOf, checklistOf, reasonsOf } from "./case-rules";
import { UNDECIDED } from "./case-state";
import { type CaseKey, requireOwnCase, whereCase } from "./holder";
import type { CaseDecision } from "./inputs";
import { includesReason } from "./view";

type Other = {
  reason: string;
  decision: "APPROVED" | "REPROVED";
  isSending: boolean;
  by: Holder;
};

export async function lastDecision(
  store: Db | Tx,
  { tenant, kycUUID }: CaseKey,
  except: string | null,
): Promise<Other | null> {
  const { intentId, decision, createdAt, staffId } = kycDecision;
  const { state, finishedAt } = providerIntent;
  const [last] = await store
    .select({ intentId, decision, reason: kycDecision.reason, createdAt, staffId, state, finishedAt, name: staff.name })
    .from(kycDecision)
    .innerJoin(providerIntent, ofIntent(kycDecision))
    .innerJoin(staff, eq(staff.id, staffId))
    .where(
      and(
        eq(kycDecision.tenant, tenant),
        eq(kycDecision.kycUUID, kycUUID),
        except === null ? undefined : ne(kycDecision.intentId, except),
        ne(state, "REFUSED"),
      ),
    )
    .orderBy(desc(createdAt))
    .limit(1);
  if (last === undefined) return null;
  const since = (last.finishedAt ?? last.createdAt).toISOString();
  const by = { id: last.staffId, name: last.name, since };
  const sealed = { column: "kyc_decision.reason", row: [tenant, last.intentId] } as const;
  const reason = maskWithin(shownSealed(last.reason, sealed));
  return { decision: last.decision, reason, isSending: last.state === "SENDING", by };
}

export async function wasDecided(tx: Tx, { tenant, kycUUID }: CaseKey, except: string): Promise<boolean> {
  const settled = await tx
    .select({ intentId: kycDecision.intentId })
    .from(kycDecision)
    .innerJoin(providerIntent, ofIntent(kycDecision))
    .where(
      and(
        eq(kycDecision.tenant, tenant),
        eq(kycDecision.kycUUID, kycUUID),
        ne(kycDecision.intentId, except),
        notInArray(providerIntent.state, [...UNDECIDED]),
      ),
    )
    .limit(1);
  return settled.length > 0;
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
  const { kycType, status, process, escalationId } = kycCase;
  return store.select({ kycType, status, process, escalationId }).from(kycCase).where(whereCase(key));
};

export function refuseStopped({ stoppedWords }: CaseRules, { reason }: CaseDecision): void {
  if (identifiersIn(reason).length > 0) throw wrong("reason", "no-identifier");
  const [stop] = stopsIn(reason, stoppedWords);
  if (stop === undefined) return;
  const issues = [{ path: ["reason"], params: { code: "stopped-word", word: stop.word } }];
  throw new AppError("invalid", { code: "reason-stopped", issues });
}

/** Throws conflict `case-not-yours`, `case-escalated`, `case-changed` and `rules-changed`, and invalid with the field. */
export async function validateDecision(tx: Tx, actor: Actor<"kyc:decide">, order: CaseDecision): Promise<void> {
  const { tenant, id } = actor;
  const { kycUUID, decision, reason, reasonCode, checklist, expected } = order;
  const key = { tenant, kycUUID };
  await requireOwnCase(tx, key, id);
  const [stored] = await selectCase(tx, key);
  if (stored === undefined) throw new AppError("not-found", { code: "kyc-case" });
  const { kycType, escalationId, ...current } = stored;
  refuse(caseCan.decide({ pendingApproval: null, escalation: { isOpen: escalationId !== null } }));
  const kind = { kycType, process: current.process };
  if (current.status !== expected.status || current.process !== expected.process) {
    throw new AppError("conflict", { code: "case-changed", current });
  }
  const same = caseCan.choose(current, decision);
  if (same !== null) throw wrong("decision", same);
  const { version, rules } = await caseRulesOf(tx, tenant);
  if (order.rulesVersion !== version) throw new AppError("conflict", { code: "rules-changed" });
  refuseStopped(rules, order);
  const chosen = reasonsOf(rules.reasons, kind).find(({ code }) => code === reasonCode);
  if (chosen?.decision !== decision || !includesReason(reason, chosen.text)) throw wrong("reasonCode", "reason-code");
  const items = withConfirmed(checklistOf(rules, kind), checklist);
  if (decision === "APPROVED" && !items.every(({ isChecked }) => isChecked)) throw wrong("checklist", "checklist");
}
