import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/error";
import { tellsReason } from "@/lib/kyc-decision";
import { kycCase } from "@/lib/store/schema";
import type { Db, Tx } from "@/lib/store/store";
import { identifiersIn, stopsIn } from "@/lib/tipping-off";
import { type CaseRules, caseRulesAt, caseRulesOf, checklistOf, reasonsOf } from "./case-rules";
import { caseAt, type CasePlace, requireOwnCase } from "./held";
import type { CaseDecision } from "./rules";
import type { CheckedItem } from "./schema";

const wrong = (field: keyof CaseDecision, code: string) =>
  new BankError("invalid", { issues: [{ path: [field], params: { code } }] });

/** The checklist that the person had, in its words, with what they confirmed of it; empty when they confirmed nothing. */
export async function confirmedOf(store: Db | Tx, tenant: string, order: CaseDecision): Promise<CheckedItem[]> {
  const { kycUUID, checklist, rulesVersion, expected } = order;
  if (checklist.length === 0 || rulesVersion === null) return [];
  const rules = await caseRulesAt(store, tenant, rulesVersion);
  const [row] = await keptCase(store, { tenant, kycUUID });
  if (rules === null) return [];
  const kind = { kycType: row?.kycType ?? "PF", process: expected.process };
  return withConfirmed(checklistOf(rules, kind), checklist);
}

type Items = ReturnType<typeof checklistOf>;

const withConfirmed = (items: Items, confirmed: readonly string[]): CheckedItem[] =>
  items.map(({ code, text }) => ({ code, text, isChecked: confirmed.includes(code) }));

/** What the console knows of a case now. */
export const keptCase = (store: Db | Tx, place: CasePlace) => {
  const { kycType, status, process } = kycCase;
  return store.select({ kycType, status, process }).from(kycCase).where(caseAt(place));
};

/** Nothing leaves with a word that tips a client off, nor with somebody's number. Throws invalid `reason-stopped`. */
export function refuseStopped({ stoppedWords }: CaseRules, { reason }: CaseDecision): void {
  if (identifiersIn(reason).length > 0) throw wrong("reason", "no-identifier");
  const [stop] = stopsIn(reason, stoppedWords);
  if (stop === undefined) return;
  const issues = [{ path: ["reason"], params: { code: "stopped-word", word: stop.word } }];
  throw new BankError("invalid", { code: "reason-stopped", issues });
}

/**
 * Whether the person may decide so: the case is theirs and still what they saw, and the reason and the checklist are what
 * the rules in force ask for. Throws conflict `case-not-yours`, `case-changed` and `rules-changed`, and invalid, which names
 * the field.
 */
export async function requireRightDecision(tx: Tx, actor: Actor<"kyc:decide">, order: CaseDecision): Promise<void> {
  const { tenant, id } = actor;
  const { kycUUID, decision, reason, reasonCode, checklist, expected } = order;
  const place = { tenant, kycUUID };
  await requireOwnCase(tx, place, id);
  const [kept] = await keptCase(tx, place);
  if (kept === undefined) throw new BankError("not-found", { code: "kyc-case" });
  const { kycType, ...current } = kept;
  const kind = { kycType, process: current.process };
  if (current.status !== expected.status || current.process !== expected.process) {
    throw new BankError("conflict", { code: "case-changed", current });
  }
  if (current.status === decision) throw wrong("decision", "same-decision");
  const { version, rules } = await caseRulesOf(tx, tenant);
  if (order.rulesVersion !== version) throw new BankError("conflict", { code: "rules-changed" });
  refuseStopped(rules, order);
  const chosen = reasonsOf(rules.reasons, kind).find(({ code }) => code === reasonCode);
  if (chosen?.decision !== decision || !tellsReason(reason, chosen.text)) throw wrong("reasonCode", "reason-code");
  const items = withConfirmed(checklistOf(rules, kind), checklist);
  if (decision === "APPROVED" && !items.every(({ isChecked }) => isChecked)) throw wrong("checklist", "checklist");
}
