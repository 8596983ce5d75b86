import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import type { Ordering } from "@/lib/approvals/define-write";
import { findApproval } from "@/lib/approvals/records";
import type { Actor } from "@/lib/permission/grant";
import { staffMembership } from "@/lib/db/tables/auth";
import { providerIntent } from "@/lib/db/tables/provider";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { caseworkFile, caseworkNote } from "@/lib/db/tables/notes";
import { isStorable } from "@/lib/contract/shared";
import {
  dossiersOf,
  type Ending,
  type Evidence,
  freezeDossier,
  sealDossier,
  type SealedEnding,
  sealOvertaken,
} from "@/lib/dossiers/records";
import { reveal } from "@/lib/db/tables/privacy";
import { staff } from "@/lib/db/tables/staff";
import { kycCase, kycDecision, kycEvent } from "@/lib/db/tables/kyc";
import { unseal } from "@/lib/db/seal";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { caseRulesOf } from "./case-rules";
import { noteCaseEvents } from "./events";
import { readExposure } from "./exposure";
import { type CaseKey, whereCase } from "./holder";
import { readRelated, type Related } from "./records";
import type { CaseDecision } from "./inputs";
import { type StartedCase, startOfCase } from "@/lib/db/started-case";

export type CaseDossier = {
  id: string;
  /** A decision refused and ordered again has several. */
  intentId: string;
  decision: "APPROVED" | "REPROVED";
  byName: string;
  frozenAt: string;
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

const MAX = 2_000;

const personOf = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? "" });

async function timelineOf(tx: Tx, { tenant, kycUUID }: CaseKey): Promise<Evidence["timeline"]> {
  const rows = await tx
    .select({ event: kycEvent, byName: staff.name })
    .from(kycEvent)
    .leftJoin(staff, eq(staff.id, kycEvent.actor))
    .where(and(eq(kycEvent.tenant, tenant), eq(kycEvent.kycUUID, kycUUID)))
    .orderBy(asc(kycEvent.id))
    .limit(MAX);
  return rows.map(({ event: { at, kind, actor, detail }, byName }) => ({
    at: at.toISOString(),
    kind,
    by: personOf(actor, byName),
    detail,
  }));
}

/** Our people's earlier decisions on the case, with their known outcomes. */
async function earlierDecisions(
  tx: Tx,
  { tenant, kycUUID }: CaseKey,
  intentId: string,
): Promise<Evidence["earlierDecisions"]> {
  const rows = await tx
    .select({ decided: kycDecision, byName: staff.name, state: providerIntent.state })
    .from(kycDecision)
    .innerJoin(providerIntent, ofIntent(kycDecision))
    .innerJoin(staff, eq(staff.id, kycDecision.staffId))
    .where(and(eq(kycDecision.tenant, tenant), eq(kycDecision.kycUUID, kycUUID), ne(kycDecision.intentId, intentId)))
    .orderBy(asc(kycDecision.createdAt))
    .limit(MAX);
  return rows.map(({ decided, byName, state }) => {
    const { decision, staffId, createdAt, noteSealed } = decided;
    const row = [tenant, decided.intentId];
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

async function notesOf(tx: Tx, { tenant, kycUUID }: CaseKey): Promise<Evidence["notes"]> {
  const rows = await tx
    .select({ note: caseworkNote, byName: staff.name })
    .from(caseworkNote)
    .innerJoin(staff, eq(staff.id, caseworkNote.staffId))
    .where(and(eq(caseworkNote.tenant, tenant), eq(caseworkNote.object, `kyc:${kycUUID}`)))
    .orderBy(asc(caseworkNote.createdAt))
    .limit(MAX);
  return rows.map(({ note: { id, staffId, textSealed, createdAt, retractedAt }, byName }) => ({
    id,
    by: { id: staffId, name: byName },
    at: createdAt.toISOString(),
    text: textSealed === null ? null : unseal(textSealed, { column: "casework_note.text_sealed", row: [tenant, id] }),
    retractedAt: retractedAt?.toISOString() ?? null,
  }));
}

async function filesOf(tx: Tx, { tenant, kycUUID }: CaseKey): Promise<Evidence["files"]> {
  const rows = await tx
    .select({ file: caseworkFile, byName: staff.name })
    .from(caseworkFile)
    .innerJoin(staff, eq(staff.id, caseworkFile.staffId))
    .where(and(eq(caseworkFile.tenant, tenant), eq(caseworkFile.object, `kyc:${kycUUID}`)))
    .orderBy(asc(caseworkFile.createdAt))
    .limit(MAX);
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

/** People who are not listed saw the document masked. */
async function revealsOf(tx: Tx, { tenant, kycUUID }: CaseKey): Promise<Evidence["reveals"]> {
  const rows = await tx
    .select({ shown: reveal, byName: staff.name })
    .from(reveal)
    .leftJoin(staff, sql`${staff.id}::text = ${reveal.actor}`)
    .where(and(eq(reveal.tenant, tenant), eq(reveal.object, `kyc:${kycUUID}`)))
    .orderBy(asc(reveal.createdAt))
    .limit(MAX);
  return rows.map(({ shown: { id, actor, reason, noteSealed, createdAt }, byName }) => ({
    by: { id: actor, name: byName ?? "" },
    at: createdAt.toISOString(),
    reason,
    note: unseal(noteSealed, { column: "reveal.note_sealed", row: [id] }),
  }));
}

function subjectOf(started: StartedCase): NonNullable<Evidence["subject"]> {
  const { kycType, model: backgroundcheckModel, documentscopy, isRepeat, startedBy, startedAt } = started;
  return {
    startedBy,
    startedAt: startedAt.toISOString(),
    form: { kycType, backgroundcheckModel, documentscopy, isRepeat, ...started.subject },
    members: started.members.map((member) => ({ ...member })),
  };
}

type Subject = { tenant: string; kycUUID: string; vatNumber: string | null; start: StartedCase | null };

const basisOf = ({ isSure }: { isSure: boolean }) => (isSure ? ("document" as const) : ("masked-document" as const));

export function listRelated({ cases, onboardings, accounts }: Related): Evidence["related"] {
  return [
    ...cases.map((one) => ({
      kind: "kyc" as const,
      id: one.kycUUID,
      document: one.vatNumber,
      status: one.status,
      basis: basisOf(one),
      since: one.firstSeenAt,
    })),
    ...onboardings.map((one) => ({
      kind: "onboarding" as const,
      id: one.id,
      document: one.document,
      status: one.status,
      basis: basisOf(one),
      since: one.firstSeenAt,
    })),
    ...accounts.map((one) => ({
      kind: "account" as const,
      id: one.ref,
      document: one.document,
      status: null,
      basis: basisOf(one),
      since: null,
    })),
  ];
}

const relatedOf = async (tx: Tx, { vatNumber, ...subject }: Subject): Promise<Evidence["related"]> =>
  vatNumber === null ? [] : listRelated(await readRelated(tx, { ...subject, vatNumber }));

type Deciding = Omit<Ordering<"kyc:decide", CaseDecision>, "object">;

const iso = (at: Date | null) => at?.toISOString() ?? null;

const webviewLines = (webviews: (typeof kycCase.$inferSelect)["webviews"]) =>
  webviews.map(({ vatNumber, url }) => (vatNumber === null ? url : `${vatNumber} ${url}`)).join("\n") || null;

async function caseOf(tx: Tx, { tenant, kycUUID }: CaseKey): Promise<Evidence["case"]> {
  const [found] = await tx
    .select({ row: kycCase, assigneeName: staff.name })
    .from(kycCase)
    .leftJoin(staff, eq(staff.id, kycCase.assigneeId))
    .where(whereCase({ tenant, kycUUID }));
  if (found === undefined) return null;
  const { row, assigneeName } = found;
  const { vatNumber: document, kycType, process, status, webviews, tags, assigneeId } = row;
  return {
    kycUUID,
    document,
    kycType,
    process,
    status,
    webviewUrl: webviewLines(webviews),
    tags,
    assignee: assigneeId === null ? null : { id: assigneeId, name: assigneeName ?? "" },
    assignedAt: iso(row.assignedAt),
    firstSeenAt: row.firstSeenAt.toISOString(),
    changedAt: row.changedAt.toISOString(),
    seenAt: row.seenAt.toISOString(),
    waitingSince: iso(row.waitingSince),
    dueAt: iso(row.dueAt),
    exposure: await readExposure(tx, { tenant, kycUUID }),
  };
}

async function decisionOf(tx: Tx, { actor, order }: Deciding): Promise<Evidence["decision"]> {
  const { intentId, decision, reason, reasonCode, note, rulesVersion, expected } = order;
  const isIt = and(eq(kycDecision.tenant, actor.tenant), eq(kycDecision.intentId, intentId));
  const [stored] = await tx.select({ checklist: kycDecision.checklist }).from(kycDecision).where(isIt);
  const checklist = [...(stored?.checklist ?? [])];
  return { intentId, decision, reason, reasonCode, note, checklist, rulesVersion, expected };
}

type Participant = Evidence["people"][number];

async function participant(
  tx: Tx,
  part: Participant["part"],
  who: { tenant: string; id: string },
): Promise<Participant> {
  const { id } = who;
  const [found] = await tx
    .select({ name: staff.name, roles: staffMembership.roles })
    .from(staff)
    .leftJoin(staffMembership, and(eq(staffMembership.staffId, staff.id), eq(staffMembership.tenant, who.tenant)))
    .where(eq(staff.id, id));
  return { part, id, name: found?.name ?? "", roles: found?.roles ?? [] };
}

async function peopleOf(tx: Tx, { actor, approvalId }: Deciding): Promise<Pick<Evidence, "people" | "approval">> {
  const { tenant, id: decider } = actor;
  const authorised = approvalId === null ? null : await findApproval(tx, { tenant, id: approvalId });
  if (authorised === null) {
    return { people: [await participant(tx, "decider", { tenant, id: decider })], approval: null };
  }
  const { id, policyVersion, makerId, deciderId, createdAt, decidedAt } = authorised;
  const people = [await participant(tx, "proposer", { tenant, id: makerId })];
  if (deciderId !== null) people.push(await participant(tx, "authoriser", { tenant, id: deciderId }));
  const times = { proposedAt: createdAt.toISOString(), authorisedAt: iso(decidedAt) };
  return { people, approval: { id, policyVersion, ...times } };
}

/** Returns the snapshot's hash, which goes into the audit record. */
export async function freezeEvidence(tx: Tx, deciding: Deciding): Promise<string> {
  const { actor, order } = deciding;
  const { tenant, id: staffId } = actor;
  const { kycUUID, intentId } = order;
  const key = { tenant, kycUUID };
  const started = await startOfCase(tx, tenant, kycUUID);
  const shown = await caseOf(tx, key);
  const { version, rules } = await caseRulesOf(tx, tenant);
  const { slaHours, dueSoonHours, stoppedWords } = rules;
  const evidence: Evidence = {
    case: shown,
    decision: await decisionOf(tx, deciding),
    ...(await peopleOf(tx, deciding)),
    rules: { version, slaHours, dueSoonHours, stoppedWords },
    subject: started === null ? null : subjectOf(started),
    related: await relatedOf(tx, { ...key, vatNumber: shown?.document ?? null, start: started }),
    timeline: await timelineOf(tx, key),
    earlierDecisions: await earlierDecisions(tx, key, intentId),
    notes: await notesOf(tx, key),
    files: await filesOf(tx, key),
    reveals: await revealsOf(tx, key),
  };
  return freezeDossier(tx, { tenant, intentId, staffId, object: `kyc:${kycUUID}` }, evidence);
}

/** Includes earlier dossiers whose outcome can no longer be learnt. The caller ends with `recordSeals`. */
export async function sealDossiers(tx: Tx, ending: Ending): Promise<SealedEnding[]> {
  const { tenant, object, state } = ending.intent;
  const sealed = [...(await sealDossier(tx, ending)), ...(state === "DONE" ? await sealOvertaken(tx, ending) : [])];
  const kycUUID = object.replace("kyc:", "");
  const event = { tenant, kycUUID, kind: "dossier-sealed", actor: null } as const;
  await noteCaseEvents(
    tx,
    sealed.map(({ dossier: { id: dossierId } }) => ({ ...event, detail: { dossierId } })),
  );
  return sealed;
}
