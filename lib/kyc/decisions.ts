import { and, desc, eq } from "drizzle-orm";
import { bankIntent, type IntentState } from "@/lib/bank/intent-schema";
import { maskWithin } from "@/lib/contract/document";
import { staff } from "@/lib/store/schema";
import { shownSealed } from "@/lib/store/seal";
import type { Db } from "@/lib/store/store";
import { type CheckedItem, kycDecision } from "./schema";

/** Nothing holds a decision at the provider: what would be held is not known. */
export type DecisionState = Exclude<IntentState, "HELD">;

export type DecisionView = {
  intentId: string;
  decision: "APPROVED" | "REPROVED";
  /** What the provider was told. */
  reason: string;
  reasonCode: string | null;
  /** What the team alone reads; null where there is none, and for whoever may not. */
  note: string | null;
  /** In the words that stood there then. */
  checklist: readonly CheckedItem[];
  /** By which version of the rules; null before there were any, 0: the standard ones. */
  rulesVersion: number | null;
  byName: string;
  at: string;
  state: DecisionState;
};

type Reading = { tenant: string; kycUUID: string; readsNotes: boolean };

/** What our own people decided about a case, newest first. */
export async function readDecisions(store: Db, { tenant, kycUUID, readsNotes }: Reading): Promise<DecisionView[]> {
  const rows = await store
    .select({ decided: kycDecision, byName: staff.name, state: bankIntent.state })
    .from(kycDecision)
    .innerJoin(bankIntent, and(eq(bankIntent.tenant, kycDecision.tenant), eq(bankIntent.id, kycDecision.intentId)))
    .innerJoin(staff, eq(staff.id, kycDecision.staffId))
    .where(and(eq(kycDecision.tenant, tenant), eq(kycDecision.kycUUID, kycUUID)))
    .orderBy(desc(kycDecision.createdAt));
  return rows.map(({ decided, byName, state }) => {
    const { intentId, decision, reason, reasonCode, noteSealed, checklist, rulesVersion, createdAt } = decided;
    const row = [intentId];
    return {
      intentId,
      decision,
      reason: maskWithin(shownSealed(reason, { column: "kyc_decision.reason", row })),
      reasonCode,
      note:
        readsNotes && noteSealed !== null
          ? maskWithin(shownSealed(noteSealed, { column: "kyc_decision.note_sealed", row }))
          : null,
      checklist,
      rulesVersion,
      byName,
      at: createdAt.toISOString(),
      state: state === "HELD" ? "UNKNOWN" : state,
    };
  });
}
