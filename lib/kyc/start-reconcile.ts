import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { recordIncident } from "@/lib/audit/incident";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { concludeLinked } from "@/lib/provider/intents/candidates";
import { intents } from "@/lib/provider/intents/intent";
import {
  isLookedFor,
  isSending,
  ofIntent,
  onlyCandidate,
  wasLookedSince,
  wasSaid,
} from "@/lib/provider/intents/intent-record";
import { providerIntent } from "@/lib/db/tables/provider";
import { staff } from "@/lib/db/tables/staff";
import { watchState } from "@/lib/db/tables/watch";
import { kycStart } from "@/lib/db/tables/kyc";
import { UnsealError } from "@/lib/db/seal";
import { db, type Db, type Tx } from "@/lib/db/connection";
import type { StartReconciliation } from "./inputs";
import { wholeSince } from "./sweep";
import { STARTS } from "./start";
import { type Candidates, caseCandidates, startedDocument, linkStart, type SentStart } from "./start-record";

export type OpenStart = SentStart &
  Candidates & {
    byName: string;
    isSending: boolean;
    /** The list was read long enough after sending, without a candidate. */
    isNotFound: boolean;
  };

/** Starts settled as without effect, whose case has appeared since. */
export async function contradictStarts(store: Db, actor: Actor): Promise<void> {
  const said = await store
    .select({ start: kycStart, sentAt: providerIntent.firstSentAt })
    .from(kycStart)
    .innerJoin(providerIntent, ofIntent(kycStart))
    .where(
      and(eq(kycStart.tenant, actor.tenant), isNull(kycStart.kycUUID), eq(providerIntent.state, "REFUSED"), wasSaid),
    );
  for (const { start, sentAt } of said) {
    const { candidates, older } = await caseCandidates(store, { start, sentAt, document: startedDocument(start) });
    if (candidates.some(({ kycUUID }) => !older.has(kycUUID)))
      await intents.contradict(actor, STARTS[start.kycType].intent, start.intentId);
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
      const document = startedDocument(row.start);
      const found = await caseCandidates(store, { ...row, document });
      return {
        ...row,
        document,
        ...found,
        isNotFound: !row.isSending && wasRead && found.candidates.length === 0,
      };
    }),
  );
}

/** The process that found the case may have died before recording the outcome. */
async function confirmLinked(store: Db, actor: Actor): Promise<void> {
  const linked = await store
    .select({ intentId: kycStart.intentId, kycType: kycStart.kycType })
    .from(kycStart)
    .innerJoin(providerIntent, ofIntent(kycStart))
    .where(
      and(eq(kycStart.tenant, actor.tenant), eq(providerIntent.state, "UNKNOWN"), sql`${kycStart.kycUUID} is not null`),
    );
  for (const { intentId, kycType } of linked) await intents.confirm(actor, STARTS[kycType].intent, intentId);
}

/** A document that does not open matches nothing, so a person must look. */
const recordClosed = (store: Db, { tenant, id: by }: Actor, { start: { intentId } }: OpenStart) =>
  recordIncident(store, {
    tenant,
    by,
    object: `kyc-start:${intentId}`,
    intentId,
    cause: new UnsealError("what was started does not open"),
  });

/** Searches for lost starts in the watch's data; makes no calls. */
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
  const kind = STARTS[open.start.kycType].intent;
  const isCandidate = open.candidates.some((candidate) => candidate.kycUUID === kycUUID);
  await store.transaction(async (tx) => {
    const isLinked = isCandidate && (await linkStart(tx, open.start, kycUUID));
    await concludeLinked(tx, actor, { intentId, kind, isLinked, settledCode: "start-settled" });
  });
  return { kycUUID };
}
