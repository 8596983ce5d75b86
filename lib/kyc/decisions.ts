import { and, desc, eq, inArray, ne, notInArray } from "drizzle-orm";
import { providerIntent, type IntentState } from "@/lib/db/tables/provider";
import { maskWithin } from "@/lib/contract/document";
import type { Holder } from "@/lib/errors/result";
import { staff } from "@/lib/db/tables/staff";
import { type CheckedItem, kycDecision } from "@/lib/db/tables/kyc";
import { shownSealed } from "@/lib/db/seal";
import type { Db, Tx } from "@/lib/db/connection";
import type { CaseKey } from "./holder";

type Other = { decision: "APPROVED" | "REPROVED"; isSending: boolean; by: Holder };

export async function lastDecision(
  store: Db,
  { tenant, kycUUID }: CaseKey,
  except: string | null,
): Promise<Other | null> {
  const { decision, createdAt, staffId } = kycDecision;
  const { state, finishedAt } = providerIntent;
  const [last] = await store
    .select({ decision, createdAt, staffId, state, finishedAt, name: staff.name })
    .from(kycDecision)
    .innerJoin(
      providerIntent,
      and(eq(providerIntent.tenant, kycDecision.tenant), eq(providerIntent.id, kycDecision.intentId)),
    )
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
  return { decision: last.decision, isSending: last.state === "SENDING", by };
}

/** One in flight may yet be refused; meanwhile no other is sent. */
export const UNDECIDED: readonly IntentState[] = ["SENDING", "REFUSED"];

export async function decidedAmong(
  store: Db | Tx,
  { tenant, except = null }: { tenant: string; except?: string | null },
  cases: readonly string[],
): Promise<Set<string>> {
  if (cases.length === 0) return new Set();
  const rows = await store
    .selectDistinct({ kycUUID: kycDecision.kycUUID })
    .from(kycDecision)
    .innerJoin(
      providerIntent,
      and(eq(providerIntent.tenant, kycDecision.tenant), eq(providerIntent.id, kycDecision.intentId)),
    )
    .where(
      and(
        eq(kycDecision.tenant, tenant),
        inArray(kycDecision.kycUUID, [...cases]),
        except === null ? undefined : ne(kycDecision.intentId, except),
        notInArray(providerIntent.state, [...UNDECIDED]),
      ),
    );
  return new Set(rows.map(({ kycUUID }) => kycUUID));
}

/** The provider never holds a decision. */
type DecisionState = Exclude<IntentState, "HELD">;

export type DecisionView = {
  intentId: string;
  decision: "APPROVED" | "REPROVED";
  reason: string;
  reasonCode: string | null;
  /** For the team alone; null where there is none or the reader may not see it. */
  note: string | null;
  checklist: readonly CheckedItem[];
  /** Null before there were rules; 0: the standard ones. */
  rulesVersion: number | null;
  byName: string;
  at: string;
  state: DecisionState;
};

type DecisionsRequest = { tenant: string; kycUUID: string; showsNotes: boolean };

export async function readDecisions(
  store: Db,
  { tenant, kycUUID, showsNotes }: DecisionsRequest,
): Promise<DecisionView[]> {
  const rows = await store
    .select({ decided: kycDecision, byName: staff.name, state: providerIntent.state })
    .from(kycDecision)
    .innerJoin(
      providerIntent,
      and(eq(providerIntent.tenant, kycDecision.tenant), eq(providerIntent.id, kycDecision.intentId)),
    )
    .innerJoin(staff, eq(staff.id, kycDecision.staffId))
    .where(and(eq(kycDecision.tenant, tenant), eq(kycDecision.kycUUID, kycUUID)))
    .orderBy(desc(kycDecision.createdAt));
  return rows.map(({ decided, byName, state }) => {
    const { intentId, decision, reason, reasonCode, noteSealed, checklist, rulesVersion, createdAt } = decided;
    const row = [tenant, intentId];
    return {
      intentId,
      decision,
      reason: maskWithin(shownSealed(reason, { column: "kyc_decision.reason", row })),
      reasonCode,
      note:
        showsNotes && noteSealed !== null
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
