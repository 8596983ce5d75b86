import { and, eq, gt, lte, sql } from "drizzle-orm";
import { z } from "zod";
import { defineWrite, type Ordering } from "@/lib/approvals/define-write";
import { ASKED, executeOrPropose } from "@/lib/approvals/propose";
import { readPendingApprovals } from "@/lib/approvals/records";
import { type Fact, type Shown, shownText } from "@/lib/approvals/snapshot";
import type { ApprovalReason } from "@/lib/approvals/view";
import type { Policy } from "@/lib/permission/writes";
import { record, recordAll } from "@/lib/audit/record";
import { maskWithin } from "@/lib/contract/document";
import { KYC_DECISIONS } from "@/lib/contract/kyc";
import { storeNow } from "@/lib/db/clock";
import { db, type Db, type Tx } from "@/lib/db/connection";
import type { CaseEventKind } from "@/lib/db/enums/kyc";
import { publish } from "@/lib/db/publish";
import { lookupHash, seal } from "@/lib/db/seal";
import { approval } from "@/lib/db/tables/approvals";
import { kycCase, kycDecision } from "@/lib/db/tables/kyc";
import { addRecheck, recordSeals } from "@/lib/dossiers/records";
import { AppError } from "@/lib/errors/app-error";
import type { Holder } from "@/lib/errors/result";
import { presentFiles, requireSameFiles, shownFiles } from "@/lib/notes/file";
import type { Actor } from "@/lib/permission/grant";
import { provider } from "@/lib/provider/client";
import { type Intent, type IntentEnd, nothing, type Proposed } from "@/lib/provider/intents/intent-record";
import type { OutcomeSubject } from "@/lib/provider/intents/settling";
import { decideKyc, listKyc } from "@/lib/provider/operations";
import { caseRulesOf } from "./case-rules";
import { isFinal } from "./case-state";
import {
  confirmedOf,
  lastDecision,
  refuseStopped,
  selectCase,
  validateDecision,
  wasDecided,
} from "./decision-validation";
import { noteCaseEvents } from "./events";
import { freezeEvidence, sealDossiers } from "./evidence";
import { isExposed, readExposure } from "./exposure";
import { type CaseKey, whereCase } from "./holder";
import { type CaseDecision, ProposedDecision } from "./inputs";
import { endPutOffs } from "./put-off";
import { saveRecords } from "./sync";

/** Null when its effect was seen but its answer was lost. */
const TakenDecision = z.object({ decision: z.enum(KYC_DECISIONS) }).nullable();
type TakenDecision = z.infer<typeof TakenDecision>;

type Decided = typeof kycDecision.$inferSelect;

async function showOnCase(tx: Tx, { tenant, kycUUID, decision }: Decided): Promise<void> {
  const moved = sql`case when ${kycCase.status} = ${decision} then ${kycCase.changedAt} else clock_timestamp() end`;
  await tx
    .update(kycCase)
    .set({ status: decision, seenAt: sql`clock_timestamp()`, changedAt: moved, decidedAt: moved })
    .where(whereCase({ tenant, kycUUID }));
}

const EVENTS = {
  SENDING: null,
  HELD: "decision-unknown",
  DONE: "decided",
  REFUSED: "decision-refused",
  UNKNOWN: "decision-unknown",
} as const satisfies Record<IntentEnd<TakenDecision>["intent"]["state"], CaseEventKind | null>;

async function onOutcome(tx: Tx, { intent, by, outcome, stored }: IntentEnd<TakenDecision>): Promise<void> {
  const { tenant, id: intentId, state, status, code } = intent;
  const [decided] = await tx
    .select()
    .from(kycDecision)
    .where(and(eq(kycDecision.tenant, tenant), eq(kycDecision.intentId, intentId)));
  if (decided === undefined) throw new Error(`intent ${intentId} has no decision`);
  const { kycUUID, decision } = decided;
  const what = { code: "kyc.decide", object: `kyc:${kycUUID}`, intentId } as const;
  if (stored !== null) await showOnCase(tx, decided);
  const kycUUIDs = stored === null ? [] : [kycUUID];
  const ended = await endPutOffs(tx, { tenant, kycUUIDs, ending: "decided", by });
  const kind = EVENTS[state];
  const event = { tenant, kycUUID, actor: decided.staffId, detail: { intentId, decision, state } };
  if (kind !== null) await noteCaseEvents(tx, [{ ...event, kind }]);
  const sealed = await sealDossiers(tx, { intent, by });
  await publish(tx, { tenant, topic: "kyc", object: kycUUID });
  const decidedNow = { tenant, actor: by, outcome, ...what, detail: { decision, status, code } };
  await recordAll(tx, [...ended, decidedNow]);
  await recordSeals(tx, sealed);
}

type CaseDecided = { state: "DECIDED"; kycUUID: string; decision: CaseDecision["decision"] };
type Deciding = Ordering<"kyc:decide", ProposedDecision>;

/** A term may have been blocked since the proposal, and the files must be the agreed ones. */
async function refuseChanged(tx: Tx, tenant: string, order: ProposedDecision): Promise<void> {
  refuseStopped((await caseRulesOf(tx, tenant)).rules, order);
  await requireSameFiles(tx, tenant, `kyc:${order.kycUUID}`, order.files);
}

async function validate(tx: Tx, { actor, order, approvalId }: Deciding): Promise<void> {
  if (approvalId === null) await validateDecision(tx, actor, order);
  await refuseChanged(tx, actor.tenant, order);
}

async function open(tx: Tx, deciding: Deciding): Promise<void> {
  const { actor, order, object } = deciding;
  const { intentId, kycUUID, decision, reason, reasonCode, rulesVersion, note, expected } = order;
  const { tenant, id: staffId } = actor;
  const row = [tenant, intentId];
  const decided = {
    kycUUID,
    decision,
    reason: seal(reason, { column: "kyc_decision.reason", row }),
    reasonCode,
    rulesVersion,
    noteSealed: note === null ? null : seal(note, { column: "kyc_decision.note_sealed", row }),
    checklist: await confirmedOf(tx, tenant, order),
    staffId,
    createdAt: sql`clock_timestamp()`,
  };
  await tx
    .insert(kycDecision)
    .values({ intentId, tenant, ...decided })
    .onConflictDoUpdate({ target: [kycDecision.tenant, kycDecision.intentId], set: decided });
  const evidence = await freezeEvidence(tx, deciding);
  const about = { reasonCode, rules: rulesVersion, reason: lookupHash(reason), evidence };
  const detail = { decision, from: expected.status, ...about };
  await record(tx, { tenant, actor: staffId, outcome: "INTENT", code: "kyc.decide", object, intentId, detail });
}

/** Also where it is now again as it was when the decision was requested. */
async function hasMovedSince(tx: Tx, { tenant, kycUUID }: CaseKey, approvalId: string | null): Promise<boolean> {
  if (approvalId === null) return false;
  const request = tx
    .select({ at: approval.createdAt })
    .from(approval)
    .where(and(eq(approval.tenant, tenant), eq(approval.id, approvalId)));
  const { firstSeenAt, changedAt } = kycCase;
  const wasThere = and(whereCase({ tenant, kycUUID }), lte(firstSeenAt, sql`(${request})`));
  return (await tx.$count(kycCase, and(wasThere, gt(changedAt, sql`(${request})`)))) > 0;
}

/** Read again right before sending, as the provider overwrites any state silently. */
async function compare({ actor, order, object, approvalId }: Deciding): Promise<void> {
  const store = await db();
  const askedAt = await storeNow(store);
  const { intentId, kycUUID, expected } = order;
  const asked = { query: { kycUUID }, object, isFresh: true };
  const { answer, text, requestId } = await provider.get(actor, listKyc, asked);
  const recheck = { operation: listKyc.path, requestId, askedAt: askedAt.toISOString(), text };
  const readable = answer.result.flatMap((listed) => ("kycUUID" in listed ? [listed] : []));
  // An unreadable record may belong to this case.
  if (readable.length < answer.result.length) throw new AppError("malformed", { code: "answer-not-documented" });
  const records = readable.filter((listed) => listed.kycUUID === kycUUID);
  const key = { tenant: actor.tenant, kycUUID };
  const { current, hasMoved } = await store.transaction(async (tx) => {
    await addRecheck(tx, { tenant: actor.tenant, intentId }, recheck);
    await saveRecords(tx, actor.tenant, { records, askedAt });
    const [stored] = await selectCase(tx, key);
    return { current: stored, hasMoved: await hasMovedSince(tx, key, approvalId) };
  });
  if (records.length === 0 || current === undefined) throw new AppError("not-found", { code: "kyc-case" });
  const { status, process } = current;
  if (hasMoved || status !== expected.status || process !== expected.process) {
    throw new AppError("conflict", { code: "case-changed", current: { status, process } });
  }
}

async function needsApproval(tx: Tx, { actor, order }: Deciding, { rule }: Policy): Promise<ApprovalReason | null> {
  const { kycUUID, intentId, expected } = order;
  if (rule === "always") return ASKED;
  if (rule === "never") return null;
  const { tenant } = actor;
  if (rule === "on-exposed" && isExposed(await readExposure(tx, { tenant, kycUUID }))) return ASKED;
  return isFinal(expected.status) || (await wasDecided(tx, { tenant, kycUUID }, intentId)) ? ASKED : null;
}

async function show(tx: Tx, { actor: { tenant }, order }: Deciding): Promise<Shown> {
  const { intentId, kycUUID, decision, reason, note, expected } = order;
  const key = { tenant, kycUUID };
  const { vatNumber, decidedAt } = kycCase;
  const [row] = await tx.select({ vatNumber, decidedAt }).from(kycCase).where(whereCase(key));
  const confirmed = (await confirmedOf(tx, tenant, order)).filter(({ isChecked }) => isChecked);
  const earlier = await lastDecision(tx, key, intentId);
  const earlierFacts: Fact[] =
    earlier === null
      ? []
      : [
          { name: "earlierDecision", before: null, after: { as: "kyc-status", status: earlier.decision } },
          { name: "earlierBy", before: null, after: shownText(earlier.by.name) },
          { name: "earlierAt", before: null, after: { as: "time", at: earlier.by.since } },
        ];
  const isOurs = !isFinal(expected.status) || earlier?.decision === expected.status;
  const seenAt = row?.decidedAt?.toISOString() ?? null;
  const standing: Fact[] = isOurs ? [] : [{ name: "standingBy", before: null, after: { as: "elsewhere", seenAt } }];
  const exposure = await readExposure(tx, key);
  const exposed: Fact[] = isExposed(exposure)
    ? [{ name: "exposure", before: null, after: { as: "exposure", exposure } }]
    : [];
  const facts = [
    { name: "files", text: await shownFiles(tx, tenant, `kyc:${kycUUID}`) },
    { name: "checklist", text: confirmed.map(({ text }) => text).join("\n") },
    { name: "note", text: note ?? "" },
  ] as const;
  return {
    headline: shownText(maskWithin(row?.vatNumber ?? kycUUID)),
    href: `/kyc/${encodeURIComponent(kycUUID)}`,
    facts: [
      {
        name: "status",
        before: { as: "kyc-status", status: expected.status },
        after: { as: "kyc-status", status: decision },
      },
      ...exposed,
      ...standing,
      ...earlierFacts,
      { name: "reason", before: earlier === null ? null : shownText(earlier.reason), after: shownText(reason) },
      ...facts
        .filter(({ text }) => text !== "")
        .map(({ name, text }) => ({ name, before: null, after: shownText(text) })),
    ],
  };
}

async function describe(store: Db | Tx, { tenant, object }: Intent): Promise<OutcomeSubject> {
  const kycUUID = object.replace("kyc:", "");
  const isIt = whereCase({ tenant, kycUUID });
  const [row] = await store.select({ vatNumber: kycCase.vatNumber }).from(kycCase).where(isIt);
  return { subject: row?.vatNumber ?? kycUUID, amount: null, href: `/kyc/${encodeURIComponent(kycUUID)}` };
}

/** A decision has no Idempotency-Key and overwrites any state (interface: KYC › manual-decision). */
export const decideCase = defineWrite({
  name: "kyc.decision",
  order: ProposedDecision,
  objectOf: async (_store, _tenant, { kycUUID }) => `kyc:${kycUUID}`,
  validate,
  approval: { isExclusive: true, needsApproval, show, proposed: nothing },
  operation: decideKyc,
  isKeyed: false,
  busyCode: "decision-in-flight",
  unconfirmedCode: "decision-unconfirmed",
  bodyOf: ({ kycUUID, decision, reason }) => ({ kycUUID, decision, reason }),
  opened: open,
  recheck: compare,
  stored: TakenDecision,
  toStore: ({ data }) => TakenDecision.safeParse({ decision: data.decision }).data ?? null,
  ended: onOutcome,
  settle: { needsSecond: false, describe },
});

async function proposer(store: Db, { tenant, kycUUID }: CaseKey): Promise<Holder | null> {
  const object = `kyc:${kycUUID}`;
  const pendingApproval = (await readPendingApprovals(store, { tenant, kind: "kyc.decision" }, [object])).get(object);
  return pendingApproval === undefined
    ? null
    : { id: pendingApproval.makerId, name: pendingApproval.makerName, since: pendingApproval.at };
}

/** Null when the case is still what the person saw. */
async function decidedMeanwhile(store: Db, key: CaseKey, { intentId, expected }: CaseDecision) {
  const { status, process } = kycCase;
  const [current] = await store.select({ status, process }).from(kycCase).where(whereCase(key));
  if (current === undefined || current.status === expected.status) return null;
  const other = await lastDecision(store, key, intentId);
  return other === null || other.isSending || other.decision !== current.status ? null : { current, ...other };
}

async function explainConflict(tenant: string, order: CaseDecision, refusal: AppError): Promise<AppError> {
  const store = await db();
  const key = { tenant, kycUUID: order.kycUUID };
  const { details } = refusal;
  switch (details.code ?? "") {
    case "approval-open":
      return new AppError("conflict", { ...details, holder: await proposer(store, key) });
    case "decision-in-flight": {
      const other = await lastDecision(store, key, order.intentId);
      return new AppError("conflict", { ...details, holder: other?.isSending === true ? other.by : null });
    }
    case "case-changed":
    case "case-not-yours": {
      const first = await decidedMeanwhile(store, key, order);
      if (first === null) return refusal;
      const { current, by: holder, decision: decided } = first;
      return new AppError("conflict", { ...details, code: "case-decided", current, holder, decided });
    }
    default:
      return refusal;
  }
}

/** Decides, or proposes when the policy requires it. Throws conflict `case-decided` when a colleague was first. */
export async function orderDecision(actor: Actor<"kyc:decide">, order: CaseDecision): Promise<CaseDecided | Proposed> {
  const { kycUUID, decision } = order;
  try {
    const files = (await presentFiles(await db(), actor.tenant, `kyc:${kycUUID}`)).map(({ sha256 }) => sha256);
    const outcome = await executeOrPropose(decideCase, actor, { ...order, files });
    return outcome.state === "PROPOSED" ? outcome : { state: "DECIDED", kycUUID, decision };
  } catch (refusal) {
    throw refusal instanceof AppError ? await explainConflict(actor.tenant, order, refusal) : refusal;
  }
}
