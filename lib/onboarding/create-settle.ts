import { and, asc, eq, gt, inArray, isNotNull, isNull, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { AccountCandidate } from "@/lib/account-creation";
import { recordIncident } from "@/lib/audit/incident";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/error";
import { intents } from "@/lib/bank/intent";
import { bankIntent } from "@/lib/bank/intent-schema";
import { isLookedFor, isSending, ofIntent, onlyCandidate, wasLookedSince } from "@/lib/bank/lost-answer";
import { renewDraft } from "@/lib/drafts/records";
import { publish } from "@/lib/live/publish";
import { onboarding, staff } from "@/lib/store/schema";
import { lookupHashes, UnsealError, unsealedOrNull } from "@/lib/store/seal";
import { type Db, db, type Tx } from "@/lib/store/store";
import { lookUp, type Creator } from "./create";
import { requestDocument } from "./create-form";
import { accountCreation, linkRequest, type RequestRow } from "./create-kind";
import type { AccountSettlement } from "./create-rules";
import { checkEveryMs } from "./rules";
import { onboardingRequest } from "./schema";

/** A request that was sent, and of which it is not known what became of it. */
export type OpenRequest = {
  request: RequestRow;
  byName: string;
  isSending: boolean;
  /** In clear; null when it does not open. */
  document: string | null;
  candidates: AccountCandidate[];
  mayBeWaived: boolean;
  /** It is time to ask the provider again. */
  isDue: boolean;
};

const MOST_LOOKS = 5;

/** Onboardings that may have come of it: of its document, first kept after it was sent, and no other request's. */
async function candidatesOf(store: Db | Tx, request: RequestRow, document: string | null): Promise<AccountCandidate[]> {
  const { tenant, afterSeq } = request;
  if (afterSeq === null || document === null) return [];
  const claimant = alias(onboardingRequest, "claimant");
  const claimed = store
    .select({ id: claimant.intentId })
    .from(claimant)
    .where(eq(claimant.onboardingId, onboarding.id));
  const { id, firstSeenAt, status } = onboarding;
  const rows = await store
    .select({ id, firstSeenAt, status })
    .from(onboarding)
    .where(
      and(
        eq(onboarding.tenant, tenant),
        inArray(onboarding.documentHash, lookupHashes(document)),
        gt(onboarding.seq, afterSeq),
        notExists(claimed),
      ),
    )
    .orderBy(asc(onboarding.seq));
  return rows.map((row) => ({ ...row, firstSeenAt: row.firstSeenAt.toISOString() }));
}

function isDue(sentMs: number | null, lookedMs: number | null): boolean {
  return sentMs !== null && (lookedMs === null || lookedMs >= checkEveryMs(sentMs));
}

const msSince = (at: typeof bankIntent.firstSentAt | typeof onboardingRequest.lookedAt) =>
  sql<number | null>`extract(epoch from clock_timestamp() - ${at}) * 1000`.mapWith(Number);

/** The requests of the tenant of which it is not known what became of them, the oldest first. */
export async function openRequests(store: Db | Tx, tenant: string): Promise<OpenRequest[]> {
  const rows = await store
    .select({
      request: onboardingRequest,
      byName: staff.name,
      isSending,
      wasLooked: wasLookedSince(onboardingRequest.lookedAt),
      sentMs: msSince(bankIntent.firstSentAt),
      lookedMs: msSince(onboardingRequest.lookedAt),
    })
    .from(onboardingRequest)
    .innerJoin(bankIntent, ofIntent(onboardingRequest))
    .innerJoin(staff, eq(staff.id, onboardingRequest.staffId))
    .where(
      and(eq(onboardingRequest.tenant, tenant), isNull(onboardingRequest.onboardingId), isLookedFor(onboardingRequest)),
    )
    .orderBy(asc(onboardingRequest.createdAt));
  return Promise.all(
    rows.map(async ({ wasLooked, sentMs, lookedMs, ...row }) => {
      const document = unsealedOrNull(() => requestDocument(row.request));
      const candidates = await candidatesOf(store, row.request, document);
      const mayBeWaived = !row.isSending && wasLooked && candidates.length === 0;
      return { ...row, document, candidates, mayBeWaived, isDue: isDue(sentMs, lookedMs) };
    }),
  );
}

/** Requests of which the onboarding is known, whose end is not written yet: who found it may have died in between. */
async function confirmLinked(store: Db, actor: Actor): Promise<void> {
  const linked = await store
    .select({ intentId: onboardingRequest.intentId })
    .from(onboardingRequest)
    .innerJoin(bankIntent, ofIntent(onboardingRequest))
    .where(
      and(
        eq(onboardingRequest.tenant, actor.tenant),
        eq(bankIntent.state, "UNKNOWN"),
        isNotNull(onboardingRequest.onboardingId),
      ),
    );
  for (const { intentId } of linked) await intents.confirm(actor, accountCreation, intentId);
}

async function lookFor(store: Db, actor: Actor, { request, document }: OpenRequest): Promise<void> {
  const { tenant, intentId } = request;
  if (document === null) {
    const cause = new UnsealError("what was asked for does not open");
    const object = `account-request:${intentId}`;
    return recordIncident(store, { tenant, by: actor.id, object, intentId, cause });
  }
  await lookUp(actor, document);
  await store
    .update(onboardingRequest)
    .set({ lookedAt: sql`clock_timestamp()` })
    .where(and(eq(onboardingRequest.tenant, tenant), eq(onboardingRequest.intentId, intentId)));
  await publish(store, { tenant, topic: "onboarding", object: intentId });
}

/** Looks for the effect of requests whose answer was lost: asks the provider by their document, each in its turn. */
export async function settleRequests(store: Db, actor: Actor): Promise<void> {
  const due = (await openRequests(store, actor.tenant)).filter((one) => one.isDue && !one.isSending);
  for (const one of due.slice(0, MOST_LOOKS)) await lookFor(store, actor, one);
  const open = await openRequests(store, actor.tenant);
  for (const one of open) {
    const onboardingId = onlyCandidate(one, open, ({ id }) => id);
    if (onboardingId !== null) await linkRequest(store, one.request, onboardingId);
  }
  await confirmLinked(store, actor);
}

/** Nobody waits for it any longer: the account may be asked for again, and what was typed is there for it. */
async function waive(tx: Tx, actor: Creator, { request }: OpenRequest): Promise<void> {
  const { tenant, id: staffId } = actor;
  const { intentId, kind } = request;
  const waived = await tx
    .update(onboardingRequest)
    .set({ waivedBy: staffId, waivedAt: sql`clock_timestamp()` })
    .where(
      and(
        eq(onboardingRequest.tenant, tenant),
        eq(onboardingRequest.intentId, intentId),
        isNull(onboardingRequest.onboardingId),
        isNull(onboardingRequest.waivedAt),
      ),
    )
    .returning({ intentId: onboardingRequest.intentId });
  if (waived.length === 0) throw new BankError("conflict", { code: "account-settled" });
  await renewDraft(tx, tenant, intentId);
  await publish(tx, { tenant, topic: "onboarding", object: intentId });
  const what = { code: "onboarding.waive-account", outcome: "DONE", intentId, detail: { kind } } as const;
  await record(tx, { tenant, actor: staffId, ...what });
}

/**
 * Says which onboarding came of a request whose answer was lost, or that none did. Throws conflict `account-settled` when it
 * is known already or the onboarding is none of its candidates, and `account-too-soon` while it may yet be found.
 */
export async function settleRequest(
  actor: Creator,
  { intentId, onboardingId }: AccountSettlement,
): Promise<{ id: string | null }> {
  const store = await db();
  const open = (await openRequests(store, actor.tenant)).find(({ request }) => request.intentId === intentId);
  if (open === undefined || open.isSending) throw new BankError("conflict", { code: "account-settled" });
  if (onboardingId === null) {
    if (!open.mayBeWaived) throw new BankError("conflict", { code: "account-too-soon" });
    await store.transaction((tx) => waive(tx, actor, open));
    return { id: null };
  }
  const isCandidate = open.candidates.some(({ id }) => id === onboardingId);
  if (!isCandidate || !(await linkRequest(store, open.request, onboardingId)))
    throw new BankError("conflict", { code: "account-settled" });
  await intents.confirm(actor, accountCreation, intentId);
  return { id: onboardingId };
}
