import { and, eq, inArray } from "drizzle-orm";
import type { Actor } from "@/lib/auth/grant";
import { isStorable } from "@/lib/contract/shared";
import { dossiersOf } from "@/lib/dossiers/records";
import { staff } from "@/lib/store/schema";
import { type Db, db } from "@/lib/store/store";
import { kycDecision } from "./schema";

export type CaseDossier = {
  id: string;
  /** Of the decision: one that was refused and ordered again has several. */
  intentId: string;
  decision: "APPROVED" | "REPROVED";
  byName: string;
  /** When the evidence was frozen, ISO. */
  frozenAt: string;
  /** Null while it is not known how the decision ended. */
  sealed: { at: string; end: "DONE" | "REFUSED" | "UNKNOWN"; sha256: string } | null;
};

async function decisionsBy(store: Db, tenant: string, intents: readonly string[]) {
  if (intents.length === 0) return new Map<string, { decision: CaseDossier["decision"]; byName: string }>();
  const rows = await store
    .select({ intentId: kycDecision.intentId, decision: kycDecision.decision, byName: staff.name })
    .from(kycDecision)
    .innerJoin(staff, eq(staff.id, kycDecision.staffId))
    .where(and(eq(kycDecision.tenant, tenant), inArray(kycDecision.intentId, [...intents])));
  return new Map(rows.map(({ intentId, ...decided }) => [intentId, decided]));
}

type End = NonNullable<CaseDossier["sealed"]>["end"];
const endOf = (state: string | null): End => (state === "DONE" || state === "REFUSED" ? state : "UNKNOWN");

/** The dossiers of a case's decisions, newest first, without what is in them. */
export async function readDossiers({ tenant }: Actor<"kyc:read">, kycUUID: string): Promise<CaseDossier[]> {
  if (!isStorable(kycUUID)) return [];
  const store = await db();
  const rows = await dossiersOf(store, tenant, `kyc:${kycUUID}`);
  const decisions = await decisionsBy(store, tenant, [...new Set(rows.map(({ intentId }) => intentId))]);
  return rows.flatMap(({ id, intentId, createdAt, sealedAt, endState, sha256 }) => {
    const decided = decisions.get(intentId);
    if (decided === undefined) return [];
    const isSealed = sealedAt !== null && sha256 !== null;
    const sealed = isSealed ? { at: sealedAt.toISOString(), end: endOf(endState), sha256 } : null;
    return [{ id, intentId, ...decided, frozenAt: createdAt.toISOString(), sealed }];
  });
}
