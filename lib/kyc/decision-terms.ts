import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/error";
import { isStorable } from "@/lib/contract/shared";
import { look } from "@/lib/privacy/look";
import { kycCase } from "@/lib/store/schema";
import { db } from "@/lib/store/store";
import { caseRulesOf, checklistOf, type Reason, reasonsOf } from "./case-rules";
import { lastDecision } from "./first-there";
import { caseAt } from "./held";
import { caseRows, type KycRow } from "./queue-rows";

/** What somebody who decides a case has before them: the case as it stands, and by what rules it is decided. */
export type DecisionTerms = {
  row: KycRow;
  /** Whether it is this person's to decide. */
  isMine: boolean;
  rulesVersion: number;
  /** Those that may be given now. */
  reasons: Pick<Reason, "code" | "decision" | "text">[];
  checklist: { code: string; text: string }[];
  stoppedWords: string[];
  /** Our people's last one that was not refused; `at` is ISO. */
  lastDecision: { decision: "APPROVED" | "REPROVED"; byName: string; at: string } | null;
};

/** That the person looked at the case is on record. Throws `BankError` not-found. */
export async function readDecisionTerms(actor: Actor<"kyc:decide">, kycUUID: string): Promise<DecisionTerms> {
  const { tenant, id } = actor;
  const store = await db();
  const place = { tenant, kycUUID };
  const [found] = isStorable(kycUUID) ? await store.select().from(kycCase).where(caseAt(place)) : [];
  const [row] = found === undefined ? [] : await caseRows(store, tenant, [found]);
  if (row === undefined) throw new BankError("not-found", { code: "kyc-case" });
  await look(actor, `kyc:${kycUUID}`);
  const { version, rules } = await caseRulesOf(store, tenant);
  const last = await lastDecision(store, place, null);
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
