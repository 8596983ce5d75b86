import { and, asc, eq, gte, isNull, notExists } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { maskDocument } from "@/lib/contract/document";
import type { Db, Tx } from "@/lib/db/connection";
import { unsealedOrNull } from "@/lib/db/seal";
import { fitsMask, unsealSubject } from "@/lib/db/started-case";
import { kycCase, kycStart } from "@/lib/db/tables/kyc";
import { isNotRuledOut } from "@/lib/provider/intents/candidates";
import type { Intent } from "@/lib/provider/intents/intent-record";
import type { OutcomeSubject } from "@/lib/provider/intents/settling";
import type { StartCandidate } from "./view";

export type StartRow = typeof kycStart.$inferSelect;

const named = ({ tenant, intentId }: Pick<StartRow, "tenant" | "intentId">) =>
  and(eq(kycStart.tenant, tenant), eq(kycStart.intentId, intentId));

export async function findStart(tx: Db | Tx, start: Pick<StartRow, "tenant" | "intentId">): Promise<StartRow | null> {
  const [row] = await tx.select().from(kycStart).where(named(start));
  return row ?? null;
}

/** False when the start or the case is already linked. */
export async function linkStart(tx: Db | Tx, { tenant, intentId }: StartRow, kycUUID: string): Promise<boolean> {
  const other = alias(kycStart, "other");
  const taken = tx
    .select({ intentId: other.intentId })
    .from(other)
    .where(and(eq(other.tenant, tenant), eq(other.kycUUID, kycUUID)));
  const linked = await tx
    .update(kycStart)
    .set({ kycUUID })
    .where(and(named({ tenant, intentId }), isNull(kycStart.kycUUID), notExists(taken)))
    .returning({ intentId: kycStart.intentId });
  return linked.length > 0;
}

export type SentStart = {
  start: StartRow;
  sentAt: Date | null;
  /** In clear; null when it does not open. */
  document: string | null;
};

export type Candidates = {
  candidates: StartCandidate[];
  /** Possibly older than the start: read from further back in the list. */
  older: ReadonlySet<string>;
};

/** Cases of the same kind and document, first seen since sending, and linked to no other start. */
export async function caseCandidates(store: Db | Tx, { start, sentAt, document }: SentStart): Promise<Candidates> {
  if (sentAt === null || document === null) return { candidates: [], older: new Set() };
  const claimant = alias(kycStart, "claimant");
  const claimed = store
    .select({ intentId: claimant.intentId })
    .from(claimant)
    .where(and(eq(claimant.tenant, kycCase.tenant), eq(claimant.kycUUID, kycCase.kycUUID)));
  const { kycUUID, vatNumber, firstSeenAt, status, seq } = kycCase;
  const rows = await store
    .select({ kycUUID, vatNumber, firstSeenAt, status, seq })
    .from(kycCase)
    .where(
      and(
        eq(kycCase.tenant, start.tenant),
        eq(kycCase.kycType, start.kycType),
        gte(firstSeenAt, sentAt),
        notExists(claimed),
        isNotRuledOut(store, start, kycCase.kycUUID),
      ),
    )
    .orderBy(asc(seq));
  const fitting = rows.filter((row) => fitsMask(document, row.vatNumber));
  return {
    candidates: fitting.map((row) => ({
      kycUUID: row.kycUUID,
      firstSeenAt: row.firstSeenAt.toISOString(),
      status: row.status,
    })),
    // Late arrivals from further back in the list have numbers of zero or less.
    older: new Set(fitting.filter((row) => row.seq <= 0).map((row) => row.kycUUID)),
  };
}

export const startedDocument = (start: Pick<StartRow, "tenant" | "intentId" | "documentSealed" | "subjectSealed">) =>
  unsealedOrNull(() => unsealSubject({ table: "kyc_start", row: [start.tenant, start.intentId] }, start))?.vatNumber ??
  null;

export async function caseCandidateIds(tx: Db | Tx, { tenant, id, firstSentAt: sentAt }: Intent): Promise<string[]> {
  const start = await findStart(tx, { tenant, intentId: id });
  if (start === null || start.kycUUID !== null) return [];
  const { candidates } = await caseCandidates(tx, { start, sentAt, document: startedDocument(start) });
  return candidates.map(({ kycUUID }) => kycUUID);
}

export async function describeStart(tx: Db | Tx, { tenant, id: intentId }: Intent): Promise<OutcomeSubject> {
  const start = await findStart(tx, { tenant, intentId });
  const document = start === null ? null : startedDocument(start);
  return { subject: document === null ? null : maskDocument(document), amount: null, href: "/kyc/new" };
}
