import { and, asc, desc, eq, gte, isNull, notExists, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { AppError } from "@/lib/errors/app-error";
import { concludeLinked, isNotRuledOut } from "@/lib/provider/intents/candidates";
import { type Intent, isLookedFor, isSending, ofIntent, wasLookedSince } from "@/lib/provider/intents/intent-record";
import { providerIntent } from "@/lib/db/tables/provider";
import type { OutcomeKind, OutcomeSubject } from "@/lib/provider/intents/outcome-kind";
import { staff } from "@/lib/db/tables/staff";
import { watchState } from "@/lib/db/tables/watch";
import { db, type Db, type Tx } from "@/lib/db/connection";
import { wallet, walletRequest } from "@/lib/db/tables/wallets";
import type { WalletRequestKind } from "@/lib/db/enums/wallets";
import { type WalletReconciliation, WALLETS_WATCH } from "./inputs";
import type { UnconfirmedWallet, WalletCandidate } from "./view";
import { type RequestRow, NAMES, named, findRequest, labelsOf } from "./requests";
import { MAKINGS, type Maker } from "./create";

const MAX_CANDIDATES = 20;

/** First seen since it was sent, of the same family and use, and no other request's. */
async function candidatesOf(store: Db | Tx, request: RequestRow, sentAt: Date | null): Promise<WalletCandidate[]> {
  if (sentAt === null || request.address !== null) return [];
  const { tenant, family, isForward } = request;
  const claimant = alias(walletRequest, "claimant");
  const isClaimed = or(
    eq(claimant.walletId, wallet.id),
    eq(sql`lower(${claimant.address})`, sql`lower(${wallet.address})`),
  );
  const claimed = store
    .select({ intentId: claimant.intentId })
    .from(claimant)
    .where(and(eq(claimant.tenant, wallet.tenant), isClaimed));
  const isOfUse = or(isNull(wallet.isForwardPayment), eq(wallet.isForwardPayment, isForward));
  const isNew = gte(wallet.firstSeenAt, sentAt);
  const rows = await store
    .select({ walletId: wallet.id, address: wallet.address, userId: wallet.userId, firstSeenAt: wallet.firstSeenAt })
    .from(wallet)
    .where(
      and(
        eq(wallet.tenant, tenant),
        eq(wallet.family, family),
        isOfUse,
        isNew,
        notExists(claimed),
        isNotRuledOut(store, request, wallet.id),
      ),
    )
    .orderBy(asc(wallet.firstSeenAt), wallet.id)
    .limit(MAX_CANDIDATES);
  const { customer } = labelsOf(request);
  const isOfAnother = (userId: string | null) =>
    request.kind === "wallet" && userId !== null && customer !== null && userId !== customer;
  return rows
    .filter(({ userId }) => !isOfAnother(userId))
    .map(({ walletId, address, firstSeenAt }) => ({
      walletId,
      address,
      firstSeenAt: (firstSeenAt ?? sentAt).toISOString(),
    }));
}

/** When the last walk that read the whole list began. */
const walkedAt = sql`case when ${watchState.memory} ->> 'offset' = '0'
  then (${watchState.memory} ->> 'walkedAt')::timestamptz end`;

export async function openRequests(store: Db | Tx, tenant: string): Promise<UnconfirmedWallet[]> {
  const rows = await store
    .select({
      request: walletRequest,
      byName: staff.name,
      isSending,
      sentAt: providerIntent.firstSentAt,
      wasReadSince: wasLookedSince(walkedAt),
    })
    .from(walletRequest)
    .innerJoin(providerIntent, ofIntent(walletRequest))
    .innerJoin(staff, eq(staff.id, walletRequest.staffId))
    .leftJoin(watchState, and(eq(watchState.tenant, walletRequest.tenant), eq(watchState.name, WALLETS_WATCH)))
    .where(and(eq(walletRequest.tenant, tenant), isLookedFor))
    .orderBy(desc(walletRequest.createdAt));
  return Promise.all(
    rows.map(async ({ request, byName, isSending: isBeingSent, sentAt, wasReadSince }) => {
      const candidates = await candidatesOf(store, request, sentAt);
      const { intentId, kind, family, isForward, createdAt } = request;
      return {
        ...labelsOf(request),
        intentId,
        kind,
        family,
        isForward,
        byName,
        at: createdAt.toISOString(),
        isSending: isBeingSent,
        candidates,
        isNotFound: !isBeingSent && wasReadSince && candidates.length === 0,
      };
    }),
  );
}

/** Two people may choose the same wallet at once: its row is held until one is done. */
async function linkWallet(tx: Tx, request: RequestRow, candidate: WalletCandidate): Promise<boolean> {
  const { tenant } = request;
  const { walletId, address } = candidate;
  await tx
    .select({ id: wallet.id })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), eq(wallet.id, walletId)))
    .for("update");
  const claimant = alias(walletRequest, "claimant");
  const taken = tx
    .select({ intentId: claimant.intentId })
    .from(claimant)
    .where(
      and(
        eq(claimant.tenant, tenant),
        or(eq(claimant.walletId, walletId), eq(sql`lower(${claimant.address})`, address.toLowerCase())),
      ),
    );
  const linked = await tx
    .update(walletRequest)
    .set({ walletId, address })
    .where(and(named(request), isNull(walletRequest.address), notExists(taken)))
    .returning({ intentId: walletRequest.intentId });
  return linked.length > 0;
}

/** A person says which wallet came of it. Throws conflict `wallet-settled` when it is linked already or is no candidate. */
export async function reconcileRequest(
  actor: Maker,
  { intentId, walletId }: WalletReconciliation,
): Promise<{ walletId: string }> {
  const { tenant } = actor;
  const settledCode = "wallet-settled";
  await (
    await db()
  ).transaction(async (tx) => {
    const request = await findRequest(tx, { tenant, intentId });
    const open = (await openRequests(tx, tenant)).find((one) => one.intentId === intentId);
    if (request === null || open === undefined || open.isSending) throw new AppError("conflict", { code: settledCode });
    const candidate = open.candidates.find((one) => one.walletId === walletId);
    const isLinked = candidate !== undefined && (await linkWallet(tx, request, candidate));
    const kind = MAKINGS[request.kind];
    await concludeLinked(tx, actor, { intentId, kind, isLinked, settledCode });
  });
  return { walletId };
}

async function candidatesOfIntent(tx: Db | Tx, { tenant, id, firstSentAt }: Intent): Promise<string[]> {
  const request = await findRequest(tx, { tenant, intentId: id });
  if (request === null) return [];
  return (await candidatesOf(tx, request, firstSentAt)).map(({ walletId }) => walletId);
}

async function describeRequest(tx: Db | Tx, { tenant, id: intentId }: Intent): Promise<OutcomeSubject> {
  const request = await findRequest(tx, { tenant, intentId });
  const { reference, customer } = request === null ? { reference: null, customer: null } : labelsOf(request);
  return { subject: reference ?? customer ?? request?.family ?? null, amount: null, href: "/wallets/addresses" };
}

const outcomeOf = (kind: WalletRequestKind): OutcomeKind => ({
  name: NAMES[kind],
  intent: MAKINGS[kind],
  permission: "wallets:create",
  needsApproval: false,
  describe: describeRequest,
  candidatesOf: candidatesOfIntent,
});

export const REQUEST_OUTCOMES: readonly OutcomeKind[] = [outcomeOf("wallet"), outcomeOf("address")];
