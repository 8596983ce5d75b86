import { and, asc, eq, ne, sql } from "drizzle-orm";
import { bankIntent } from "@/lib/bank/intent-schema";
import { caseworkFile, caseworkNote } from "@/lib/casework/schema";
import type { Evidence } from "@/lib/dossiers/records";
import { reveal } from "@/lib/privacy/schema";
import { staff } from "@/lib/store/schema";
import { unseal } from "@/lib/store/seal";
import type { Tx } from "@/lib/store/store";
import { kycDecision, kycEvent } from "./schema";

export type CaseKey = { tenant: string; kycUUID: string };

/** More than any case has; what is beyond stays in the store. */
const MOST = 2_000;

const personOf = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? "" });

/** What happened to the case until now, in the order it happened. */
export async function timelineOf(tx: Tx, { tenant, kycUUID }: CaseKey): Promise<Evidence["timeline"]> {
  const rows = await tx
    .select({ event: kycEvent, byName: staff.name })
    .from(kycEvent)
    .leftJoin(staff, eq(staff.id, kycEvent.actor))
    .where(and(eq(kycEvent.tenant, tenant), eq(kycEvent.kycUUID, kycUUID)))
    .orderBy(asc(kycEvent.id))
    .limit(MOST);
  return rows.map(({ event: { at, kind, actor, detail }, byName }) => ({
    at: at.toISOString(),
    kind,
    by: personOf(actor, byName),
    detail,
  }));
}

/** What our people decided about the case before, and what became of it as far as is known now. */
export async function earlierDecisions(
  tx: Tx,
  { tenant, kycUUID }: CaseKey,
  intentId: string,
): Promise<Evidence["earlierDecisions"]> {
  const rows = await tx
    .select({ decided: kycDecision, byName: staff.name, state: bankIntent.state })
    .from(kycDecision)
    .innerJoin(bankIntent, and(eq(bankIntent.tenant, kycDecision.tenant), eq(bankIntent.id, kycDecision.intentId)))
    .innerJoin(staff, eq(staff.id, kycDecision.staffId))
    .where(and(eq(kycDecision.tenant, tenant), eq(kycDecision.kycUUID, kycUUID), ne(kycDecision.intentId, intentId)))
    .orderBy(asc(kycDecision.createdAt))
    .limit(MOST);
  return rows.map(({ decided, byName, state }) => {
    const { decision, staffId, createdAt, noteSealed } = decided;
    const row = [decided.intentId];
    return {
      intentId: decided.intentId,
      decision,
      reason: unseal(decided.reason, { column: "kyc_decision.reason", row }),
      note: noteSealed === null ? null : unseal(noteSealed, { column: "kyc_decision.note_sealed", row }),
      by: { id: staffId, name: byName },
      at: createdAt.toISOString(),
      state,
    };
  });
}

/** What our people wrote down about the case; of what they took back, that it was there. */
export async function notesOf(tx: Tx, { tenant, kycUUID }: CaseKey): Promise<Evidence["notes"]> {
  const rows = await tx
    .select({ note: caseworkNote, byName: staff.name })
    .from(caseworkNote)
    .innerJoin(staff, eq(staff.id, caseworkNote.staffId))
    .where(and(eq(caseworkNote.tenant, tenant), eq(caseworkNote.object, `kyc:${kycUUID}`)))
    .orderBy(asc(caseworkNote.createdAt))
    .limit(MOST);
  return rows.map(({ note: { id, staffId, textSealed, createdAt, retractedAt }, byName }) => ({
    id,
    by: { id: staffId, name: byName },
    at: createdAt.toISOString(),
    text: textSealed === null ? null : unseal(textSealed, { column: "casework_note.text_sealed", row: [tenant, id] }),
    retractedAt: retractedAt?.toISOString() ?? null,
  }));
}

/** The files that our people put to the case, by their hashes. */
export async function filesOf(tx: Tx, { tenant, kycUUID }: CaseKey): Promise<Evidence["files"]> {
  const rows = await tx
    .select({ file: caseworkFile, byName: staff.name })
    .from(caseworkFile)
    .innerJoin(staff, eq(staff.id, caseworkFile.staffId))
    .where(and(eq(caseworkFile.tenant, tenant), eq(caseworkFile.object, `kyc:${kycUUID}`)))
    .orderBy(asc(caseworkFile.createdAt))
    .limit(MOST);
  return rows.map(({ file, byName }) => ({
    id: file.id,
    name: unseal(file.nameSealed, { column: "casework_file.name_sealed", row: [tenant, file.id] }),
    mediaType: file.mediaType,
    sizeBytes: file.sizeBytes,
    sha256: file.sha256,
    by: { id: file.staffId, name: byName },
    at: file.createdAt.toISOString(),
    removedAt: file.removedAt?.toISOString() ?? null,
  }));
}

/** Who had a document of the case shown in clear, and why: whoever is not here saw it masked. */
export async function revealsOf(tx: Tx, { tenant, kycUUID }: CaseKey): Promise<Evidence["reveals"]> {
  const rows = await tx
    .select({ shown: reveal, byName: staff.name })
    .from(reveal)
    .leftJoin(staff, sql`${staff.id}::text = ${reveal.actor}`)
    .where(and(eq(reveal.tenant, tenant), eq(reveal.object, `kyc:${kycUUID}`)))
    .orderBy(asc(reveal.createdAt))
    .limit(MOST);
  return rows.map(({ shown: { id, actor, reason, noteSealed, createdAt }, byName }) => ({
    by: { id: actor, name: byName ?? "" },
    at: createdAt.toISOString(),
    reason,
    note: unseal(noteSealed, { column: "reveal.note_sealed", row: [id] }),
  }));
}
