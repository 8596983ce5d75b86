import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import { type Actor, watchActor } from "@/lib/auth/grant";
import { bank } from "@/lib/bank/client";
import { intents } from "@/lib/bank/intent";
import { listKyc } from "@/lib/bank/operations";
import type { OutcomeKind } from "@/lib/outcomes/queries";
import type { Watch } from "@/lib/process/watch";
import { env } from "@/lib/settings/env";
import { storeNow } from "@/lib/store/clock";
import { kycCase } from "@/lib/store/schema";
import { type Db, db, type Tx } from "@/lib/store/store";
import { claim, releaseOrphans } from "./assign";
import { caseRulesOf, checklistOf, dueAt, reasonsOf } from "./case-rules";
import { confirmSeen, contradictDecisions, decisionKind, describeDecision, unansweredDue } from "./decision";
import { foldCounts } from "./queue";
import type { CaseDecision } from "./rules";
import { kycEvent } from "./schema";
import { companyStart, personStart } from "./start";
import { candidatesOfIntent, contradictStarts, describeStart, reconcileStarts } from "./start";
import { askCase, type ListSource, sweepList } from "./sweep";

/** Of 24 hours: one is late, two are due soon. */
const WAITED_HOURS = [27, 21, 18, 11, 5] as const;

const PAST_HOURS = 16 * 24;
const MOST_PAST = 40;
const HOUR_MS = 3_600_000;

/** As if what the provider lists as decided had come over the last sixteen days, some of it decided late. */
async function spreadDecided(tx: Tx, tenant: string): Promise<void> {
  const { rules } = await caseRulesOf(tx, tenant);
  const decided = await tx
    .select()
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), inArray(kycCase.status, ["APPROVED", "REPROVED"])))
    .orderBy(desc(kycCase.seq))
    .limit(MOST_PAST);
  for (const [nth, { kycUUID, kycType, status, process, firstSeenAt }] of decided.entries()) {
    const hoursAgo = (PAST_HOURS * (nth + 1)) / decided.length + (nth % 3) * 4;
    const arrivedAt = new Date(firstSeenAt.getTime() - hoursAgo * HOUR_MS);
    const decidedAt = new Date(arrivedAt.getTime() + (2 + ((nth * 7) % 26)) * HOUR_MS);
    const clock = { waitingSince: arrivedAt, dueAt: dueAt(rules, kycType, arrivedAt), decidedAt, changedAt: decidedAt };
    await tx
      .update(kycCase)
      .set({ firstSeenAt: arrivedAt, ...clock })
      .where(and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID)));
    await tx
      .update(kycEvent)
      .set({ at: arrivedAt, detail: { status: "PENDING", process } })
      .where(and(eq(kycEvent.tenant, tenant), eq(kycEvent.kycUUID, kycUUID), eq(kycEvent.kind, "seen")));
    const moved = { kind: "moved", actor: null, detail: { from: "PENDING", to: status, process } } as const;
    await tx.insert(kycEvent).values({ tenant, kycUUID, at: decidedAt, ...moved });
  }
}

/** Makes the demo look two weeks old: the provider gives no dates, so at first every case is new. */
export async function ageDemo(store: Db, tenant: string): Promise<void> {
  await store.transaction(async (tx) => {
    const { kycUUID, kycType, status, seq } = kycCase;
    const waiting = await tx
      .select({ kycUUID })
      .from(kycCase)
      .where(and(eq(kycCase.tenant, tenant), eq(status, "PENDING"), eq(kycType, "PF")))
      .orderBy(asc(seq))
      .limit(WAITED_HOURS.length);
    if (waiting.length < WAITED_HOURS.length) return;
    const rows = waiting.map(({ kycUUID: id }, place) => sql`(${id}::text, ${WAITED_HOURS[place]}::int)`);
    const aged = sql`(values ${sql.join(rows, sql`, `)}) as aged (id, hours)`;
    const earlier = sql`aged.hours * interval '1 hour'`;
    await tx
      .update(kycCase)
      .set({
        firstSeenAt: sql`${kycCase.firstSeenAt} - ${earlier}`,
        changedAt: sql`${kycCase.changedAt} - ${earlier}`,
        waitingSince: sql`${kycCase.waitingSince} - ${earlier}`,
        dueAt: sql`${kycCase.dueAt} - ${earlier}`,
      })
      .from(aged)
      .where(and(eq(kycCase.tenant, tenant), eq(kycUUID, sql`aged.id`)));
    await tx
      .update(kycEvent)
      .set({ at: sql`${kycEvent.at} - ${earlier}` })
      .from(aged)
      .where(and(eq(kycEvent.tenant, tenant), eq(kycEvent.kycUUID, sql`aged.id`)));
    await spreadDecided(tx, tenant);
  });
}

const DEMO_APPROVALS = 4;
const DEMO_REJECTIONS = 2;

/** Claims the demo's newest waiting cases and one that the provider approved: what to decide of them, by the rules in force. */
export async function claimDemoCases(store: Db, actor: Actor<"kyc:assign">): Promise<CaseDecision[]> {
  const { tenant } = actor;
  const { kycUUID, kycType, status, process, seq } = kycCase;
  const standing = (word: "PENDING" | "APPROVED") => and(eq(kycCase.tenant, tenant), eq(status, word));
  const chosen = { kycUUID, kycType, status, process };
  const count = DEMO_APPROVALS + DEMO_REJECTIONS;
  const waiting = await store.select(chosen).from(kycCase).where(standing("PENDING")).orderBy(desc(seq)).limit(count);
  const approved = await store.select(chosen).from(kycCase).where(standing("APPROVED")).orderBy(desc(seq)).limit(1);
  const { version, rules } = await caseRulesOf(store, tenant);
  const decisions: CaseDecision[] = [];
  for (const [place, row] of [...waiting, ...approved].entries()) {
    const decision = place < DEMO_APPROVALS ? "APPROVED" : "REPROVED";
    const kind = { kycType: row.kycType, process: row.process };
    const reason = reasonsOf(rules.reasons, kind).find((offered) => offered.decision === decision);
    if (reason === undefined) continue;
    await claim(actor, { kycUUID: row.kycUUID, takeFrom: null });
    decisions.push({
      intentId: randomUUID(),
      kycUUID: row.kycUUID,
      decision,
      reason: reason.text,
      reasonCode: reason.code,
      note: null,
      checklist: decision === "APPROVED" ? checklistOf(rules, kind).map(({ code }) => code) : [],
      rulesVersion: version,
      expected: { status: row.status, process: row.process },
    });
  }
  return decisions;
}

const actorOf = (tenant: string) => watchActor("kyc", tenant, "kyc:read");

const listSource = (store: Db, actor: Actor<"kyc:read">): ListSource => ({
  ask: async ({ page, kycUUID, isPatient = false }) => {
    const object = kycUUID === undefined ? {} : { object: `kyc:${kycUUID}` };
    return (await bank.get(actor, listKyc, { query: { page, kycUUID }, isPatient, ...object })).answer;
  },
  now: () => storeNow(store),
});

export const reconcileDecisions = (tenant: string): Promise<void> =>
  intents.reconcile(actorOf(tenant), [decisionKind, personStart, companyStart]);

const decisionOutcome: OutcomeKind = {
  name: "kyc.decision",
  intent: decisionKind,
  permission: "kyc:decide",
  needsApproval: false,
  describe: describeDecision,
};

const startOutcome = (intent: OutcomeKind["intent"]): OutcomeKind => ({
  name: "kyc.start",
  intent,
  permission: "kyc:start",
  needsApproval: false,
  describe: describeStart,
  candidatesOf: candidatesOfIntent,
});

export const KYC_OUTCOMES: readonly OutcomeKind[] = [
  decisionOutcome,
  startOutcome(personStart),
  startOutcome(companyStart),
];

export const kycWatch: Watch = {
  name: "kyc",
  topic: "kyc",
  async sweep(tenant) {
    await reconcileDecisions(tenant);
    const actor = actorOf(tenant);
    const store = await db();
    await foldCounts(store, tenant);
    await releaseOrphans(store, actor);
    const { isFirst, isUnfinished } = await sweepList({ store, tenant, source: listSource(store, actor) });
    if (isFirst && env().hasDemoData) await ageDemo(store, tenant);
    await confirmSeen(actor);
    await reconcileStarts(store, actor);
    await contradictDecisions(store, actor);
    await contradictStarts(store, actor);
    return isUnfinished ? "unfinished" : "done";
  },
};

/** A person waits to learn what became of a decision: it is asked about by its id, not found as the list is read. */
export const decisionWatch: Watch = {
  name: "kyc-decisions",
  intervalMs: 5_000,
  async sweep(tenant) {
    const store = await db();
    const due = await unansweredDue(store, tenant);
    if (due.length === 0) return;
    const actor = actorOf(tenant);
    const sweep = { store, tenant, source: listSource(store, actor) };
    for (const kycUUID of due) await askCase(sweep, { kycUUID });
    await confirmSeen(actor);
  },
};
