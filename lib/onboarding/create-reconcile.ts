import { and, asc, eq, isNotNull, isNull, sql } from "drizzle-orm";
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
import { publish } from "@/lib/db/publish";
import { staff } from "@/lib/db/tables/staff";
import { UnsealError } from "@/lib/db/seal";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { onboardingRequest } from "@/lib/db/tables/onboarding";
import { createAccount, type Creator, lookUpOnboarding } from "./create";
import { onboardingCandidates, linkRequest, openDocument, type RequestRow } from "./request-record";
import type { AccountReconciliation } from "./create-inputs";
import type { AccountCandidate } from "./view";
import { checkEveryMs } from "./inputs";

export type OpenRequest = {
  request: RequestRow;
  byName: string;
  isSending: boolean;
  /** In clear; null when it does not open. */
  document: string | null;
  candidates: AccountCandidate[];
  /** The provider was asked long enough after sending, without a candidate. */
  isNotFound: boolean;
  isDue: boolean;
};

const MAX_LOOKS = 5;
const ASKED_FOR_MS = 30 * 24 * 60 * 60_000;

/** Requests settled as without effect, whose onboarding has appeared since. */
export async function contradictRequests(store: Db, actor: Actor): Promise<void> {
  const said = await store
    .select({ request: onboardingRequest })
    .from(onboardingRequest)
    .innerJoin(providerIntent, ofIntent(onboardingRequest))
    .where(
      and(
        eq(onboardingRequest.tenant, actor.tenant),
        isNull(onboardingRequest.onboardingId),
        eq(providerIntent.state, "REFUSED"),
        wasSaid,
      ),
    );
  for (const { request } of said) {
    const candidates = await onboardingCandidates(store, request, openDocument(request));
    if (candidates.length > 0) await intents.contradict(actor, createAccount.intent, request.intentId);
  }
}

function isDue(sentMs: number | null, lookedMs: number | null): boolean {
  return sentMs !== null && sentMs < ASKED_FOR_MS && (lookedMs === null || lookedMs >= checkEveryMs(sentMs));
}

const msSince = (at: typeof providerIntent.firstSentAt | typeof onboardingRequest.lookedAt) =>
  sql<number | null>`extract(epoch from clock_timestamp() - ${at}) * 1000`.mapWith(Number);

export async function openAccountRequests(store: Db | Tx, tenant: string): Promise<OpenRequest[]> {
  const rows = await store
    .select({
      request: onboardingRequest,
      byName: staff.name,
      isSending,
      wasLooked: wasLookedSince(onboardingRequest.lookedAt),
      sentMs: msSince(providerIntent.firstSentAt),
      lookedMs: msSince(onboardingRequest.lookedAt),
    })
    .from(onboardingRequest)
    .innerJoin(providerIntent, ofIntent(onboardingRequest))
    .innerJoin(staff, eq(staff.id, onboardingRequest.staffId))
    .where(and(eq(onboardingRequest.tenant, tenant), isNull(onboardingRequest.onboardingId), isLookedFor))
    .orderBy(asc(onboardingRequest.createdAt));
  return Promise.all(
    rows.map(async ({ wasLooked, sentMs, lookedMs, ...row }) => {
      const document = openDocument(row.request);
      const candidates = await onboardingCandidates(store, row.request, document);
      const isNotFound = !row.isSending && wasLooked && candidates.length === 0;
      return { ...row, document, candidates, isNotFound, isDue: isDue(sentMs, lookedMs) };
    }),
  );
}

/** The process that found the onboarding may have died before recording the outcome. */
async function confirmLinked(store: Db, actor: Actor): Promise<void> {
  const linked = await store
    .select({ intentId: onboardingRequest.intentId })
    .from(onboardingRequest)
    .innerJoin(providerIntent, ofIntent(onboardingRequest))
    .where(
      and(
        eq(onboardingRequest.tenant, actor.tenant),
        eq(providerIntent.state, "UNKNOWN"),
        isNotNull(onboardingRequest.onboardingId),
      ),
    );
  for (const { intentId } of linked) await intents.confirm(actor, createAccount.intent, intentId);
}

async function lookFor(store: Db, actor: Actor, { request, document }: OpenRequest): Promise<void> {
  const { tenant, intentId } = request;
  if (document === null) {
    const cause = new UnsealError("what was asked for does not open");
    const object = `account-request:${intentId}`;
    return recordIncident(store, { tenant, by: actor.id, object, intentId, cause });
  }
  await lookUpOnboarding(actor, document);
  await store
    .update(onboardingRequest)
    .set({ lookedAt: sql`clock_timestamp()` })
    .where(and(eq(onboardingRequest.tenant, tenant), eq(onboardingRequest.intentId, intentId)));
  await publish(store, { tenant, topic: "onboarding", object: intentId });
}

export async function reconcileRequests(store: Db, actor: Actor): Promise<void> {
  const due = (await openAccountRequests(store, actor.tenant)).filter((one) => one.isDue && !one.isSending);
  for (const one of due.slice(0, MAX_LOOKS)) await lookFor(store, actor, one);
  const open = await openAccountRequests(store, actor.tenant);
  for (const one of open) {
    const onboardingId = onlyCandidate(one, open, ({ id }) => id);
    if (onboardingId !== null) await linkRequest(store, one.request, onboardingId);
  }
  await confirmLinked(store, actor);
}

/** Throws conflict `account-settled` when it is linked already or the onboarding is no candidate. */
export async function reconcileAccountRequest(
  actor: Creator,
  { intentId, onboardingId }: AccountReconciliation,
): Promise<{ id: string }> {
  const store = await db();
  const open = (await openAccountRequests(store, actor.tenant)).find(({ request }) => request.intentId === intentId);
  if (open === undefined || open.isSending) throw new AppError("conflict", { code: "account-settled" });
  const isCandidate = open.candidates.some(({ id }) => id === onboardingId);
  await store.transaction(async (tx) => {
    const isLinked = isCandidate && (await linkRequest(tx, open.request, onboardingId));
    const settledCode = "account-settled";
    await concludeLinked(tx, actor, { intentId, kind: createAccount.intent, isLinked, settledCode });
  });
  return { id: onboardingId };
}
