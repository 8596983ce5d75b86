import { and, desc, eq, sql } from "drizzle-orm";
import { requestsOf } from "@/lib/approvals/visible";
import type { WaitingSum } from "@/lib/approvals/waiting";
import type { Network } from "@/lib/contract/crypto";
import { type Db, db } from "@/lib/db/connection";
import { providerIntent } from "@/lib/db/tables/provider";
import { staff } from "@/lib/db/tables/staff";
import { cryptoOrder, wallet } from "@/lib/db/tables/wallets";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { findIntent, ofIntent } from "@/lib/provider/intents/intent-record";
import { sendCryptoTransfer } from "@/lib/provider/operations";
import { isUuid } from "@/lib/text/decode";
import { publicLink } from "./explorer";
import { effectsOf } from "./chain-effects";
import { hasMovedSince } from "./left-since";
import { refreshBalance, storedHoldings, type WalletNetwork } from "./records";
import { hintsOf } from "./send-hints";
import { readCoinOrder, readSentOrder } from "./sent-order";
import type { ChainCandidate, ProposedCoins, SentCoins, SentHash } from "./view";

const MAX = 10;

type Reader = Actor<"wallets:read">;

const hashOf = (tenant: string, network: Network | null, txHash: string): SentHash => ({
  txHash,
  link: network === null ? null : publicLink(tenant, network, txHash),
});

export async function readSentCoins(store: Db, reader: Reader, walletId: string): Promise<SentCoins[]> {
  const { tenant } = reader;
  const rows = await store
    .select({
      intentId: cryptoOrder.intentId,
      txHash: cryptoOrder.txHash,
      finishedAt: providerIntent.finishedAt,
      createdAt: providerIntent.createdAt,
      byName: staff.name,
    })
    .from(cryptoOrder)
    .innerJoin(providerIntent, ofIntent(cryptoOrder))
    .leftJoin(staff, eq(sql`${staff.id}::text`, providerIntent.actor))
    .where(
      and(
        eq(cryptoOrder.tenant, tenant),
        eq(providerIntent.operation, sendCryptoTransfer.path),
        eq(providerIntent.object, `wallet:${walletId}`),
        eq(providerIntent.state, "DONE"),
      ),
    )
    .orderBy(desc(providerIntent.finishedAt))
    .limit(MAX);
  const requests = await requestsOf(
    store,
    reader,
    rows.map(({ intentId }) => intentId),
  );
  return Promise.all(
    rows.map(async ({ intentId, txHash, finishedAt, createdAt, byName }) => {
      const order = await readSentOrder(store, { tenant, intentId });
      return {
        intentId,
        order,
        byName: byName ?? "",
        at: (finishedAt ?? createdAt).toISOString(),
        hash: txHash === null ? null : hashOf(tenant, order?.network ?? null, txHash),
        requestId: requests.get(intentId) ?? null,
      };
    }),
  );
}

export async function candidatesOfSend(store: Db, tenant: string, intentId: string): Promise<ChainCandidate[]> {
  const intent = await findIntent(store, { tenant, id: intentId });
  const isOpen = intent?.state === "UNKNOWN" || intent?.state === "HELD" || intent?.contradictedAt != null;
  if (intent === null || !isOpen) return [];
  const order = await readCoinOrder(store, { tenant, intentId });
  const found = await effectsOf(store, intent);
  return found.map(({ hash, at }) => ({
    id: hash,
    at: at.toISOString(),
    link: order === null ? null : publicLink(tenant, order.network, hash),
  }));
}

const FRESH_MS = 10_000;

/** Read now unless fresh and nothing was sent since; values that the provider omits stay as last read. */
async function rereadHeld(reader: Reader, one: WalletNetwork): Promise<void> {
  const held = await storedHoldings(await db(), reader.tenant, one);
  const isFresh = held !== null && Date.now() - held.asOf.getTime() < FRESH_MS;
  if (isFresh && !(await hasMovedSince(await db(), { tenant: reader.tenant, ...one }, held.asOf))) return;
  await refreshBalance(reader, one).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}

/** `held`: the wallet's balance as last read, or current; an ended request's is not read again. `beside`: what its request says waits. */
export async function readProposedCoins(
  reader: Reader,
  intentId: string,
  held: "stored" | "now" = "stored",
  beside?: readonly WaitingSum[],
): Promise<ProposedCoins | null> {
  const { tenant } = reader;
  if (!isUuid(intentId)) return null;
  const store = await db();
  const [kept] = await store
    .select({ txHash: cryptoOrder.txHash, isOpen: cryptoOrder.isOpen })
    .from(cryptoOrder)
    .where(and(eq(cryptoOrder.tenant, tenant), eq(cryptoOrder.intentId, intentId)));
  const order = await readCoinOrder(store, { tenant, intentId });
  if (kept === undefined || order === null) return null;
  const { network, fromAddress } = order;
  const [from] = await store
    .select({ walletId: wallet.id, address: wallet.address })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), eq(sql`lower(${wallet.address})`, fromAddress.toLowerCase())))
    .limit(1);
  if (from !== undefined && kept.isOpen && held === "now") await rereadHeld(reader, { ...from, network });
  const sent = await readSentOrder(store, { tenant, intentId });
  const asset = sent?.asset ?? "";
  return {
    asset,
    hash: kept.txHash === null ? null : hashOf(tenant, network, kept.txHash),
    candidates: await candidatesOfSend(store, tenant, intentId),
    hints:
      from === undefined
        ? null
        : await hintsOf(store, { tenant, walletId: from.walletId, order, asset, intentId, beside }),
  };
}
