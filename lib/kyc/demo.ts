import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { recallIntent } from "@/lib/provider/intents/recall";
import { KYC_DECISIONS } from "@/lib/contract/kyc";
import { storeNow } from "@/lib/db/clock";
import { kycCase, kycDecision, kycEvent } from "@/lib/db/tables/kyc";
import { seal } from "@/lib/db/seal";
import type { Db, Tx } from "@/lib/db/connection";
import { whereCase } from "./holder";
import { claim } from "./assign";
import { calendarOf } from "@/lib/calendar/calendar";
import type { CaseRules } from "@/lib/db/enums/case-rules";
import { caseRulesOf, checklistOf, deadlineOf, reasonsOf } from "./case-rules";
import { decideCase } from "./decide";
import type { CaseDecision } from "./inputs";

/** Of 24 hours: one is late, two are due soon. */
const WAITED_HOURS = [27, 21, 18, 11, 5] as const;

const PAST_HOURS = 16 * 24;
const MAX_PAST = 40;
const HOUR_MS = 3_600_000;

/** Spreads decided cases over the last sixteen days, some of them decided late. */
async function spreadDecided(tx: Tx, tenant: string): Promise<void> {
  const { rules } = await caseRulesOf(tx, tenant);
  const { calendar } = await calendarOf(tx, tenant);
  const decided = await tx
    .select()
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), inArray(kycCase.status, ["APPROVED", "REPROVED"])))
    .orderBy(desc(kycCase.seq))
    .limit(MAX_PAST);
  for (const [nth, { kycUUID, kycType, status, process, firstSeenAt }] of decided.entries()) {
    const hoursAgo = (PAST_HOURS * (nth + 1)) / decided.length + (nth % 3) * 4;
    const arrivedAt = new Date(firstSeenAt.getTime() - hoursAgo * HOUR_MS);
    const decidedAt = new Date(arrivedAt.getTime() + (2 + ((nth * 7) % 26)) * HOUR_MS);
    const deadline = deadlineOf({ rules, calendar }, kycType, arrivedAt);
    const clock = { waitingSince: arrivedAt, ...deadline, decidedAt, changedAt: decidedAt };
    await tx
      .update(kycCase)
      .set({ firstSeenAt: arrivedAt, ...clock })
      .where(whereCase({ tenant, kycUUID }));
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

const REOPENED_PLACE = 3;

/** Marks one waiting case as approved before and reopened. */
export async function reopenOne(store: Db, tenant: string): Promise<void> {
  await store.transaction(async (tx) => {
    const waiting = and(eq(kycCase.tenant, tenant), eq(kycCase.status, "PENDING"), eq(kycCase.kycType, "PF"));
    const [row] = await tx
      .select()
      .from(kycCase)
      .where(waiting)
      .orderBy(asc(kycCase.seq))
      .limit(1)
      .offset(REOPENED_PLACE);
    if (row === undefined) return;
    const { kycUUID, process, status, firstSeenAt: reopenedAt } = row;
    const before = (hours: number) => new Date(reopenedAt.getTime() - hours * HOUR_MS);
    const isOfCase = and(eq(kycEvent.tenant, tenant), eq(kycEvent.kycUUID, kycUUID));
    await tx
      .update(kycCase)
      .set({ firstSeenAt: before(75) })
      .where(whereCase({ tenant, kycUUID }));
    await tx
      .update(kycEvent)
      .set({ at: before(75) })
      .where(and(isOfCase, eq(kycEvent.kind, "seen")));
    const moved = { tenant, kycUUID, kind: "moved", actor: null } as const;
    await tx.insert(kycEvent).values([
      { ...moved, at: before(70), detail: { from: "PENDING", to: "APPROVED", process } },
      { ...moved, at: reopenedAt, detail: { from: "APPROVED", to: status, process } },
    ]);
  });
}

const DEMO_APPROVALS = 4;
const DEMO_REJECTIONS = 2;

/** Claims the demo's newest waiting cases and an approved one, with decisions by the current rules. */
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

const MAX_DECISIONS = 40;
const DECIDED_BEFORE_MS = 24 * 60 * 60_000;

type Decided = typeof kycCase.$inferSelect & { status: (typeof KYC_DECISIONS)[number]; decidedAt: Date };

const isDecided = (row: typeof kycCase.$inferSelect): row is Decided =>
  row.decidedAt !== null && KYC_DECISIONS.some((decision) => decision === row.status);

type Recalled = { row: Decided; rules: CaseRules; version: number };

/** Turns a listed decision into the actor's own, at its time. */
async function recallDecision(tx: Tx, actor: Actor<"kyc:decide">, { row, rules, version }: Recalled): Promise<void> {
  const { tenant, id: staffId } = actor;
  const { kycUUID, kycType, process, status: decision, decidedAt: finishedAt } = row;
  const kind = { kycType, process };
  const reason = reasonsOf(rules.reasons, kind).find((offered) => offered.decision === decision);
  if (reason === undefined) return;
  const object = `kyc:${kycUUID}`;
  const body = { kycUUID, decision, reason: reason.text };
  const done = { kind: decideCase.intent, body, object, stored: { decision }, finishedAt };
  const { id: intentId, createdAt, status, code } = await recallIntent(tx, actor, done);
  const items = decision === "APPROVED" ? checklistOf(rules, kind) : [];
  await tx.insert(kycDecision).values({
    tenant,
    intentId,
    kycUUID,
    decision,
    reason: seal(reason.text, { column: "kyc_decision.reason", row: [tenant, intentId] }),
    reasonCode: reason.code,
    rulesVersion: version,
    checklist: items.map(({ code: item, text }) => ({ code: item, text, isChecked: true })),
    staffId,
    createdAt,
  });
  const isOfCase = and(eq(kycEvent.tenant, tenant), eq(kycEvent.kycUUID, kycUUID));
  await tx
    .update(kycEvent)
    .set({ kind: "decided", actor: staffId, detail: { intentId, decision, state: "DONE" } })
    .where(and(isOfCase, eq(kycEvent.kind, "moved"), eq(kycEvent.at, finishedAt)));
  const what = { tenant, actor: staffId, code: "kyc.decide", object, intentId } as const;
  await record(tx, { ...what, outcome: "INTENT", detail: { decision, from: "PENDING", reasonCode: reason.code } });
  await record(tx, { ...what, outcome: "DONE", detail: { decision, status, code } });
}

/** Covers two of three decided cases; the provider keeps the third. */
export async function recallDecisions(store: Db, actor: Actor<"kyc:decide">): Promise<void> {
  const { tenant } = actor;
  const before = new Date((await storeNow(store)).getTime() - DECIDED_BEFORE_MS);
  const rows = await store
    .select()
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), isNull(kycCase.assigneeId), lt(kycCase.decidedAt, before)))
    .orderBy(asc(kycCase.decidedAt))
    .limit(MAX_DECISIONS);
  const { version, rules } = await caseRulesOf(store, tenant);
  for (const [place, row] of rows.filter(isDecided).entries())
    if (place % 3 !== 2) await store.transaction((tx) => recallDecision(tx, actor, { row, rules, version }));
}
