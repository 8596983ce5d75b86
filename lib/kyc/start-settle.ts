import { and, asc, eq, gte, isNull, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { recordIncident } from "@/lib/audit/incident";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/error";
import { intents } from "@/lib/bank/intent";
import { bankIntent } from "@/lib/bank/intent-schema";
import { isLookedFor, isSending, ofIntent, onlyCandidate, wasLookedSince } from "@/lib/bank/lost-answer";
import { renewDraft } from "@/lib/drafts/records";
import type { StartCandidate } from "@/lib/kyc-start";
import { publish } from "@/lib/live/publish";
import { kycCase, staff, watchState } from "@/lib/store/schema";
import { UnsealError, unsealedOrNull } from "@/lib/store/seal";
import { type Db, db, type Tx } from "@/lib/store/store";
import { kycStart } from "./schema";
import { fitsMask } from "./mask";
import { linkStart, START_KINDS } from "./start-kinds";
import type { StartSettlement } from "./start-rules";
import { unsealSubject } from "./started";
import { wholeSince } from "./sweep";

/** A start that was sent, and of which it is not known what became of it. */
export type OpenStart = {
  start: typeof kycStart.$inferSelect;
  byName: string;
  isSending: boolean;
  sentAt: Date | null;
  /** In clear; null when it does not open. */
  document: string | null;
  candidates: StartCandidate[];
  /** Those of them that may have been there before it was sent: they were read from further back in the list. */
  older: ReadonlySet<string>;
  mayBeWaived: boolean;
};

type Sent = Pick<OpenStart, "start" | "sentAt" | "document">;

type Candidates = Pick<OpenStart, "candidates" | "older">;

/** Cases that may have come of it: first seen since it was sent, of its kind and its document, and no other start's. */
async function candidatesOf(store: Db | Tx, { start, sentAt, document }: Sent): Promise<Candidates> {
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
    // What arrives late from further back in the list stands before all that was there.
    older: new Set(fitting.filter((row) => row.seq <= 0).map((row) => row.kycUUID)),
  };
}

/** The starts of the tenant of which it is not known what became of them, the oldest first. */
export async function openStarts(store: Db | Tx, tenant: string): Promise<OpenStart[]> {
  const rows = await store
    .select({
      start: kycStart,
      byName: staff.name,
      isSending,
      sentAt: bankIntent.firstSentAt,
      wasReadSince: wasLookedSince(wholeSince),
    })
    .from(kycStart)
    .innerJoin(bankIntent, ofIntent(kycStart))
    .innerJoin(staff, eq(staff.id, kycStart.staffId))
    .leftJoin(watchState, and(eq(watchState.tenant, kycStart.tenant), eq(watchState.name, "kyc")))
    .where(and(eq(kycStart.tenant, tenant), isNull(kycStart.kycUUID), isLookedFor(kycStart)))
    .orderBy(asc(kycStart.createdAt));
  return Promise.all(
    rows.map(async ({ wasReadSince: wasRead, ...row }) => {
      const holder = { table: "kyc_start", row: [tenant, row.start.intentId] } as const;
      const document = unsealedOrNull(() => unsealSubject(holder, row.start))?.vatNumber ?? null;
      const found = await candidatesOf(store, { ...row, document });
      return {
        ...row,
        document,
        ...found,
        mayBeWaived: !row.isSending && wasRead && found.candidates.length === 0,
      };
    }),
  );
}

/** Starts of which the case is known, whose end is not written yet: who found it may have died in between. */
async function confirmLinked(store: Db, actor: Actor): Promise<void> {
  const linked = await store
    .select({ intentId: kycStart.intentId, kycType: kycStart.kycType })
    .from(kycStart)
    .innerJoin(bankIntent, ofIntent(kycStart))
    .where(
      and(eq(kycStart.tenant, actor.tenant), eq(bankIntent.state, "UNKNOWN"), sql`${kycStart.kycUUID} is not null`),
    );
  for (const { intentId, kycType } of linked) await intents.confirm(actor, START_KINDS[kycType], intentId);
}

/** Nothing can be found by a document that does not open: a person must see to it. */
const recordClosed = (store: Db, { tenant, id: by }: Actor, { start: { intentId } }: OpenStart) =>
  recordIncident(store, {
    tenant,
    by,
    object: `kyc-start:${intentId}`,
    intentId,
    cause: new UnsealError("what was started does not open"),
  });

/** Looks for the effect of starts whose answer was lost, among what the watch has seen. Asks nobody. */
export async function settleStarts(store: Db, actor: Actor): Promise<void> {
  const open = await openStarts(store, actor.tenant);
  for (const one of open) {
    if (one.document === null) await recordClosed(store, actor, one);
    const kycUUID = onlyCandidate(one, open, (candidate) => candidate.kycUUID);
    if (kycUUID !== null && !one.older.has(kycUUID)) await linkStart(store, one.start, kycUUID);
  }
  await confirmLinked(store, actor);
}

/** Nobody waits for it any longer: the same document may be started again, and what was typed is there for it. */
async function waive(tx: Tx, actor: Actor<"kyc:start">, { start }: OpenStart): Promise<void> {
  const { tenant, id: staffId } = actor;
  const { intentId, kycType } = start;
  const waived = await tx
    .update(kycStart)
    .set({ waivedBy: staffId, waivedAt: sql`clock_timestamp()` })
    .where(
      and(
        eq(kycStart.tenant, tenant),
        eq(kycStart.intentId, intentId),
        isNull(kycStart.kycUUID),
        isNull(kycStart.waivedAt),
      ),
    )
    .returning({ intentId: kycStart.intentId });
  if (waived.length === 0) throw new BankError("conflict", { code: "start-settled" });
  await renewDraft(tx, tenant, intentId);
  await publish(tx, { tenant, topic: "kyc", object: intentId });
  const what = { code: "kyc.waive-start", outcome: "DONE", intentId, detail: { kind: kycType } } as const;
  await record(tx, { tenant, actor: staffId, ...what });
}

/**
 * Says which case came of a start whose answer was lost, or that none did. Throws not-found, conflict `start-settled` when it
 * is known already or the case is none of its candidates, and `start-too-soon` while it may yet be found.
 */
export async function settleStart(
  actor: Actor<"kyc:start">,
  { intentId, kycUUID }: StartSettlement,
): Promise<{ kycUUID: string | null }> {
  const store = await db();
  const open = (await openStarts(store, actor.tenant)).find(({ start }) => start.intentId === intentId);
  if (open === undefined || open.isSending) throw new BankError("conflict", { code: "start-settled" });
  if (kycUUID === null) {
    if (!open.mayBeWaived) throw new BankError("conflict", { code: "start-too-soon" });
    await store.transaction((tx) => waive(tx, actor, open));
    return { kycUUID };
  }
  const isCandidate = open.candidates.some((candidate) => candidate.kycUUID === kycUUID);
  if (!isCandidate || !(await linkStart(store, open.start, kycUUID)))
    throw new BankError("conflict", { code: "start-settled" });
  await intents.confirm(actor, START_KINDS[open.start.kycType], intentId);
  return { kycUUID };
}
