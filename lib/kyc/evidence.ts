import { and, eq } from "drizzle-orm";
import { approval } from "@/lib/approvals/schema";
import type { Actor } from "@/lib/auth/grant";
import { staffMembership } from "@/lib/auth/schema";
import { type Evidence, freezeDossier } from "@/lib/dossiers/records";
import { kycCase, staff } from "@/lib/store/schema";
import type { Tx } from "@/lib/store/store";
import { caseRulesOf } from "./case-rules";
import { type CaseKey, earlierDecisions, filesOf, notesOf, revealsOf, timelineOf } from "./evidence-history";
import { relatedOf, subjectOf } from "./evidence-subject";
import type { CaseDecision } from "./rules";
import { kycDecision } from "./schema";
import { startOf } from "./started";

type Deciding = { actor: Actor<"kyc:decide">; input: CaseDecision };

const iso = (at: Date | null) => at?.toISOString() ?? null;

/** The pages where documents are shown, each after its partner's document; null without any. */
const webviewLines = (webviews: (typeof kycCase.$inferSelect)["webviews"]) =>
  webviews.map(({ vatNumber, url }) => (vatNumber === null ? url : `${vatNumber} ${url}`)).join("\n") || null;

async function caseOf(tx: Tx, { tenant, kycUUID }: CaseKey): Promise<Evidence["case"]> {
  const [found] = await tx
    .select({ row: kycCase, assigneeName: staff.name })
    .from(kycCase)
    .leftJoin(staff, eq(staff.id, kycCase.assigneeId))
    .where(and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID)));
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
  };
}

async function decisionOf(tx: Tx, { actor, input }: Deciding): Promise<Evidence["decision"]> {
  const { intentId, decision, reason, reasonCode, note, rulesVersion, expected } = input;
  const isIt = and(eq(kycDecision.tenant, actor.tenant), eq(kycDecision.intentId, intentId));
  const [kept] = await tx.select({ checklist: kycDecision.checklist }).from(kycDecision).where(isIt);
  const checklist = [...(kept?.checklist ?? [])];
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

/** Who decided; where a second person authorised it, both. */
async function peopleOf(tx: Tx, { actor, input }: Deciding): Promise<Pick<Evidence, "people" | "approval">> {
  const { tenant, id: decider } = actor;
  const isIts = and(eq(approval.tenant, tenant), eq(approval.intentId, input.intentId));
  const [authorised] = await tx.select().from(approval).where(isIts);
  if (authorised === undefined) {
    return { people: [await participant(tx, "decider", { tenant, id: decider })], approval: null };
  }
  const { id, policyVersion, makerId, deciderId, createdAt, decidedAt } = authorised;
  const people = [await participant(tx, "proposer", { tenant, id: makerId })];
  if (deciderId !== null) people.push(await participant(tx, "authoriser", { tenant, id: deciderId }));
  const times = { proposedAt: createdAt.toISOString(), authorisedAt: iso(decidedAt) };
  return { people, approval: { id, policyVersion, ...times } };
}

/**
 * Freezes what is in sight of a decision that has just been put on record, and answers the hash of it that belongs on record
 * as well.
 */
export async function freezeEvidence(tx: Tx, deciding: Deciding): Promise<string> {
  const { actor, input } = deciding;
  const { tenant, id: staffId } = actor;
  const { kycUUID, intentId } = input;
  const place = { tenant, kycUUID };
  const started = await startOf(tx, tenant, kycUUID);
  const shown = await caseOf(tx, place);
  const { version, rules } = await caseRulesOf(tx, tenant);
  const { slaHours, dueSoonHours, stoppedWords } = rules;
  const evidence: Evidence = {
    case: shown,
    decision: await decisionOf(tx, deciding),
    ...(await peopleOf(tx, deciding)),
    rules: { version, slaHours, dueSoonHours, stoppedWords },
    subject: started === null ? null : subjectOf(started),
    related: await relatedOf(tx, { ...place, vatNumber: shown?.document ?? null, start: started }),
    timeline: await timelineOf(tx, place),
    earlierDecisions: await earlierDecisions(tx, place, intentId),
    notes: await notesOf(tx, place),
    files: await filesOf(tx, place),
    reveals: await revealsOf(tx, place),
  };
  return freezeDossier(tx, { tenant, intentId, staffId, object: `kyc:${kycUUID}` }, evidence);
}
