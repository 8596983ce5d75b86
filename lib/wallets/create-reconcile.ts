import { and, desc, eq, isNull, notExists, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { AppError } from "@/lib/errors/app-error";
import { concludeLinked } from "@/lib/provider/intents/candidates";
import { isLookedFor, isSending, ofIntent, wasLookedSince } from "@/lib/provider/intents/intent-record";
import { providerIntent } from "@/lib/db/tables/provider";
import { staff } from "@/lib/db/tables/staff";
import { watchState } from "@/lib/db/tables/watch";
import { db, type Db, type Tx } from "@/lib/db/connection";
import { wallet, walletRequest } from "@/lib/db/tables/wallets";
import { type WalletReconciliation, WALLETS_WATCH } from "./inputs";
import type { UnconfirmedWallet, WalletCandidate } from "./view";
import { walletCandidates, findWalletRequest, labelsOf, isRequest, type RequestRow } from "./requests";
import { type Maker, REQUESTED } from "./create";

/** When the last complete walk of the list began. */
const walkedAt = sql`case when ${watchState.memory} ->> 'offset' = '0'
  then (${watchState.memory} ->> 'walkedAt')::timestamptz end`;

export async function openWalletRequests(store: Db | Tx, tenant: string): Promise<UnconfirmedWallet[]> {
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
      const candidates = await walletCandidates(store, request, sentAt);
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

/** Two people may choose the same wallet: its row stays locked until one is done. */
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
    .where(and(isRequest(request), isNull(walletRequest.address), notExists(taken)))
    .returning({ intentId: walletRequest.intentId });
  return linked.length > 0;
}

/** A person links the wallet. Throws conflict `wallet-settled` when it is linked already or is no candidate. */
export async function reconcileWalletRequest(
  actor: Maker,
  { intentId, walletId }: WalletReconciliation,
): Promise<{ walletId: string }> {
  const { tenant } = actor;
  const settledCode = "wallet-settled";
  await (
    await db()
  ).transaction(async (tx) => {
    const request = await findWalletRequest(tx, { tenant, intentId });
    const open = (await openWalletRequests(tx, tenant)).find((one) => one.intentId === intentId);
    if (request === null || open === undefined || open.isSending) throw new AppError("conflict", { code: settledCode });
    const candidate = open.candidates.find((one) => one.walletId === walletId);
    const isLinked = candidate !== undefined && (await linkWallet(tx, request, candidate));
    const kind = REQUESTED[request.kind].intent;
    await concludeLinked(tx, actor, { intentId, kind, isLinked, settledCode });
  });
  return { walletId };
}
