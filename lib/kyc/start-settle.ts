import { and, asc, eq, gte, isNull, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { recordIncident } from "@/lib/audit/incident";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/answer";
import { intents } from "@/lib/bank/intent";
import {
  concludeIntent,
  type Intent,
  isLookedFor,
  isSending,
  ofIntent,
  onlyCandidate,
  wasLookedSince,
  wasSaid,
} from "@/lib/bank/intent-record";
import { bankIntent } from "@/lib/bank/schema";
import { maskDocument } from "@/lib/contract/document";
import { keepDraft, openDraft, wasSent } from "@/lib/drafts/records";
import type { Draft, DraftAnswer } from "@/lib/forms/draft";
import type { OutcomeSubject } from "@/lib/outcomes/kind";
import { outcomeExclusion } from "@/lib/outcomes/schema";
import { kycCase, staff, watchState } from "@/lib/store/schema";
import { unsealedOrNull, UnsealError } from "@/lib/store/seal";
import { type Db, db, type Tx } from "@/lib/store/store";
import type { StartDrafting, StartSettlement } from "./rules";
import { kycStart } from "./schema";
import { findStart, linkStart, START_KINDS } from "./start";
import type { StartCandidate, StartType, UnsettledStart } from "./start-form-view";
import { fitsMask, unsealSubject } from "./started";
import { wholeSince } from "./sweep";

/** A start that was sent, and of which it is not known what became of it. */
type OpenStart = {
  start: typeof kycStart.$inferSelect;
  byName: string;
  isSending: boolean;
  sentAt: Date | null;
  /** In clear; null when it does not open. */
  document: string | null;
  candidates: StartCandidate[];
  /** Those of them that may have been there before it was sent: they were read from further back in the list. */
  older: ReadonlySet<string>;
  /** The list was read long enough after it was sent, and shows nothing that may have come of it. */
  isNotFound: boolean;
};

type Sent = Pick<OpenStart, "start" | "sentAt" | "document">;

type Candidates = Pick<OpenStart, "candidates" | "older">;

/** Cases that may have come of it: first seen since it was sent, of its kind and document, no other start's, not ruled out. */
async function candidatesOf(store: Db | Tx, { start, sentAt, document }: Sent): Promise<Candidates> {
  if (sentAt === null || document === null) return { candidates: [], older: new Set() };
  const claimant = alias(kycStart, "claimant");
  const claimed = store
    .select({ intentId: claimant.intentId })
    .from(claimant)
    .where(and(eq(claimant.tenant, kycCase.tenant), eq(claimant.kycUUID, kycCase.kycUUID)));
  const excluded = store
    .select({ intentId: outcomeExclusion.intentId })
    .from(outcomeExclusion)
    .where(
      and(
        eq(outcomeExclusion.tenant, start.tenant),
        eq(outcomeExclusion.intentId, start.intentId),
        eq(outcomeExclusion.candidate, kycCase.kycUUID),
      ),
    );
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
        notExists(excluded),
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

const documentOf = (start: Pick<OpenStart["start"], "tenant" | "intentId" | "documentSealed" | "subjectSealed">) =>
  unsealedOrNull(() => unsealSubject({ table: "kyc_start", row: [start.tenant, start.intentId] }, start))?.vatNumber ??
  null;

/** What may have come of the start that was sent by this intent, by the ids of the cases. */
export async function candidatesOfIntent(tx: Db | Tx, { tenant, id, firstSentAt: sentAt }: Intent): Promise<string[]> {
  const start = await findStart(tx, { tenant, intentId: id });
  if (start === null || start.kycUUID !== null) return [];
  const { candidates } = await candidatesOf(tx, { start, sentAt, document: documentOf(start) });
  return candidates.map(({ kycUUID }) => kycUUID);
}

export async function describeStart(tx: Db | Tx, { tenant, id: intentId }: Intent): Promise<OutcomeSubject> {
  const start = await findStart(tx, { tenant, intentId });
  const document = start === null ? null : documentOf(start);
  return { subject: document === null ? null : maskDocument(document), amount: null, href: "/kyc/new" };
}

/** Notes of which starts, that somebody said nothing came of, a case has shown up since. */
export async function contradictStarts(store: Db, actor: Actor): Promise<void> {
  const said = await store
    .select({ start: kycStart, sentAt: bankIntent.firstSentAt })
    .from(kycStart)
    .innerJoin(bankIntent, ofIntent(kycStart))
    .where(and(eq(kycStart.tenant, actor.tenant), isNull(kycStart.kycUUID), eq(bankIntent.state, "REFUSED"), wasSaid));
  for (const { start, sentAt } of said) {
    const { candidates, older } = await candidatesOf(store, { start, sentAt, document: documentOf(start) });
    if (candidates.some(({ kycUUID }) => !older.has(kycUUID)))
      await intents.contradict(actor, START_KINDS[start.kycType], start.intentId);
  }
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
    .where(and(eq(kycStart.tenant, tenant), isNull(kycStart.kycUUID), isLookedFor))
    .orderBy(asc(kycStart.createdAt));
  return Promise.all(
    rows.map(async ({ wasReadSince: wasRead, ...row }) => {
      const document = documentOf(row.start);
      const found = await candidatesOf(store, { ...row, document });
      return {
        ...row,
        document,
        ...found,
        isNotFound: !row.isSending && wasRead && found.candidates.length === 0,
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

/**
 * Says which case came of a start whose answer was lost. Throws conflict `start-settled` when it is known already or the case
 * is none of its candidates; that none came of it is said as of every write (`orderOutcome`).
 */
export async function settleStart(
  actor: Actor<"kyc:start">,
  { intentId, kycUUID }: StartSettlement,
): Promise<{ kycUUID: string }> {
  const store = await db();
  const open = (await openStarts(store, actor.tenant)).find(({ start }) => start.intentId === intentId);
  if (open === undefined || open.isSending) throw new BankError("conflict", { code: "start-settled" });
  const { tenant, id: by } = actor;
  const kind = START_KINDS[open.start.kycType];
  const isCandidate = open.candidates.some((candidate) => candidate.kycUUID === kycUUID);
  await store.transaction(async (tx) => {
    const isLinked = isCandidate && (await linkStart(tx, open.start, kycUUID));
    const ended =
      isLinked && (await concludeIntent(tx, { intent: { tenant, id: intentId }, kind, by, hasHappened: true }));
    if (!ended) throw new BankError("conflict", { code: "start-settled" });
  });
  return { kycUUID };
}

/** What the form to start a case opens with. */
export type StartDesk = {
  draft: Draft;
  /** What was typed there was sent, and nobody knows yet what became of it. */
  isSent: boolean;
  /** Of all our people. */
  unsettled: UnsettledStart[];
};

const formOf = (type: StartType) => `kyc-start-${type.toLowerCase()}`;

const viewOf = ({ start, document, ...open }: OpenStart): UnsettledStart => ({
  intentId: start.intentId,
  type: start.kycType,
  model: start.model,
  document: document === null ? null : maskDocument(document),
  byName: open.byName,
  at: start.createdAt.toISOString(),
  isSending: open.isSending,
  candidates: open.candidates,
  isNotFound: open.isNotFound,
});

/** The person's own form of this kind, as they left it, and the starts that wait to be settled. */
export async function readStartDesk(actor: Actor<"kyc:start">, type: StartType): Promise<StartDesk> {
  const store = await db();
  const draft = await openDraft(actor, formOf(type));
  const isSent = await wasSent(store, actor.tenant, draft.draftId);
  const open = await openStarts(store, actor.tenant);
  return {
    // What was sent is not for correcting any more.
    draft: isSent ? { ...draft, fields: null } : draft,
    isSent,
    unsettled: open.filter(({ start }) => start.waivedAt === null).map(viewOf),
  };
}

export const keepStartDraft = (actor: Actor<"kyc:start">, { type, order }: StartDrafting): Promise<DraftAnswer> =>
  keepDraft(actor, formOf(type), order);
