import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { REASON_MAX_LENGTH } from "@/lib/contract/kyc";
import { isStorable } from "@/lib/contract/shared";
import { recordAccess } from "@/lib/audit/access-log";
import { type CheckedItem, kycCase } from "@/lib/db/tables/kyc";
import { db, type Db, type Tx } from "@/lib/db/connection";
import { identifiersIn, stopsIn } from "@/lib/text/tipping-off";
import type { CaseRules, Reason } from "@/lib/db/enums/case-rules";
import { caseRulesAt, caseRulesOf, checklistOf, reasonsOf } from "./case-rules";
import { lastDecision } from "./decisions";
import { type CaseKey, requireOwnCase, whereCase } from "./holder";
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
  reasonLimit: number;
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
    reasonLimit: REASON_MAX_LENGTH,
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
