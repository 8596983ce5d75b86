import { and, asc, eq, gte, isNull, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { recordIncident } from "@/lib/audit/incident";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { concludeLinked, isNotRuledOut } from "@/lib/provider/intents/candidates";
import { intents } from "@/lib/provider/intents/intent";
import {
  type Intent,
  isLookedFor,
  isSending,
  ofIntent,
  onlyCandidate,
  wasLookedSince,
  wasSaid,
} from "@/lib/provider/intents/intent-record";
import { providerIntent } from "@/lib/db/tables/provider";
import { maskDocument } from "@/lib/contract/document";
import type { OutcomeSubject } from "@/lib/provider/intents/outcome-kind";
import { staff } from "@/lib/db/tables/staff";
import { watchState } from "@/lib/db/tables/watch";
import { kycCase, kycStart } from "@/lib/db/tables/kyc";
import { unsealedOrNull, UnsealError } from "@/lib/db/seal";
import { db, type Db, type Tx } from "@/lib/db/connection";
import type { StartReconciliation } from "./inputs";
import { fitsMask, unsealSubject } from "@/lib/db/started-case";
import { wholeSince } from "./sweep";
import type { StartCandidate } from "./view";
import { findStart, linkStart, START_KINDS } from "./start";

export type OpenStart = {
  start: typeof kycStart.$inferSelect;
  byName: string;
  isSending: boolean;
  sentAt: Date | null;
  /** In clear; null when it does not open. */
  document: string | null;
  candidates: StartCandidate[];
  /** Possibly there before it was sent: read from further back in the list. */
  older: ReadonlySet<string>;
  /** The list was read long enough after it was sent, without a candidate. */
  isNotFound: boolean;
};

type Sent = Pick<OpenStart, "start" | "sentAt" | "document">;

type Candidates = Pick<OpenStart, "candidates" | "older">;

/** First seen since, of the same kind and document, and linked to no other start. */
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

const documentOf = (start: Pick<OpenStart["start"], "tenant" | "intentId" | "documentSealed" | "subjectSealed">) =>
  unsealedOrNull(() => unsealSubject({ table: "kyc_start", row: [start.tenant, start.intentId] }, start))?.vatNumber ??
  null;

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

/** Starts marked as without effect, whose case has shown up since. */
export async function contradictStarts(store: Db, actor: Actor): Promise<void> {
  const said = await store
    .select({ start: kycStart, sentAt: providerIntent.firstSentAt })
    .from(kycStart)
    .innerJoin(providerIntent, ofIntent(kycStart))
    .where(
      and(eq(kycStart.tenant, actor.tenant), isNull(kycStart.kycUUID), eq(providerIntent.state, "REFUSED"), wasSaid),
    );
  for (const { start, sentAt } of said) {
    const { candidates, older } = await candidatesOf(store, { start, sentAt, document: documentOf(start) });
    if (candidates.some(({ kycUUID }) => !older.has(kycUUID)))
      await intents.contradict(actor, START_KINDS[start.kycType], start.intentId);
  }
}

export async function openStarts(store: Db | Tx, tenant: string): Promise<OpenStart[]> {
  const rows = await store
    .select({
      start: kycStart,
      byName: staff.name,
      isSending,
      sentAt: providerIntent.firstSentAt,
      wasReadSince: wasLookedSince(wholeSince),
    })
    .from(kycStart)
    .innerJoin(providerIntent, ofIntent(kycStart))
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

/** Whoever found the case may have died before writing the outcome. */
async function confirmLinked(store: Db, actor: Actor): Promise<void> {
  const linked = await store
    .select({ intentId: kycStart.intentId, kycType: kycStart.kycType })
    .from(kycStart)
    .innerJoin(providerIntent, ofIntent(kycStart))
    .where(
      and(eq(kycStart.tenant, actor.tenant), eq(providerIntent.state, "UNKNOWN"), sql`${kycStart.kycUUID} is not null`),
    );
  for (const { intentId, kycType } of linked) await intents.confirm(actor, START_KINDS[kycType], intentId);
}

/** A document that does not open can find nothing: a person must look. */
const recordClosed = (store: Db, { tenant, id: by }: Actor, { start: { intentId } }: OpenStart) =>
  recordIncident(store, {
    tenant,
    by,
    object: `kyc-start:${intentId}`,
    intentId,
    cause: new UnsealError("what was started does not open"),
  });

/** Looks for lost starts among what the watch has seen; calls nobody. */
export async function reconcileStarts(store: Db, actor: Actor): Promise<void> {
  const open = await openStarts(store, actor.tenant);
  for (const one of open) {
    if (one.document === null) await recordClosed(store, actor, one);
    const kycUUID = onlyCandidate(one, open, (candidate) => candidate.kycUUID);
    if (kycUUID !== null && !one.older.has(kycUUID)) await linkStart(store, one.start, kycUUID);
  }
  await confirmLinked(store, actor);
}

/** Throws conflict `start-settled` when it is linked already or the case is no candidate. */
export async function reconcileStart(
  actor: Actor<"kyc:start">,
  { intentId, kycUUID }: StartReconciliation,
): Promise<{ kycUUID: string }> {
  const store = await db();
  const open = (await openStarts(store, actor.tenant)).find(({ start }) => start.intentId === intentId);
  if (open === undefined || open.isSending) throw new AppError("conflict", { code: "start-settled" });
  const kind = START_KINDS[open.start.kycType];
  const isCandidate = open.candidates.some((candidate) => candidate.kycUUID === kycUUID);
  await store.transaction(async (tx) => {
    const isLinked = isCandidate && (await linkStart(tx, open.start, kycUUID));
    await concludeLinked(tx, actor, { intentId, kind, isLinked, settledCode: "start-settled" });
  });
  return { kycUUID };
}
