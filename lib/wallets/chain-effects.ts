import { and, eq } from "drizzle-orm";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { wallet } from "@/lib/db/tables/wallets";
import type { Actor } from "@/lib/permission/grant";
import type { Intent } from "@/lib/provider/intents/intent-record";
import type { OutcomeSubject } from "@/lib/provider/intents/settling";
import { publicLink } from "./explorer";
import type { CoinOrder } from "./fingerprint";
import { refreshHistory } from "./history";
import { type LikeMovement, likeMovements } from "./like-movements";
import { readCoinOrder, readSentOrder } from "./sent-order";
import { tokenOf } from "./xrpl-token";

/** Blocks are stamped by other clocks. */
export const CLOCKS_DIFFER_MS = 5 * 60_000;

export const walletIdOf = ({ object }: Intent) => object.replace("wallet:", "");

const sentAt = ({ firstSentAt, createdAt }: Intent) =>
  new Date((firstSentAt ?? createdAt).getTime() - CLOCKS_DIFFER_MS);

/** What may be the effect of this intent, as the chain was last read. */
export async function effectsOf(store: Db | Tx, intent: Intent): Promise<LikeMovement[]> {
  const { tenant, id } = intent;
  const order = await readCoinOrder(store, { tenant, intentId: id });
  if (order === null) return [];
  return likeMovements(store, { tenant, walletId: walletIdOf(intent), order, except: id, since: sentAt(intent) });
}

export async function readHistoryOf(
  actor: Actor,
  { intent, address, order }: { intent: Intent; address: string; order: CoinOrder },
): Promise<void> {
  const one = { walletId: walletIdOf(intent), address, network: order.network };
  await refreshHistory(actor, one, { isPatient: true, token: tokenOf(order) });
}

export async function lookAtChain(actor: Actor, intent: Intent): Promise<void> {
  const { tenant, id } = intent;
  const store = await db();
  const order = await readCoinOrder(store, { tenant, intentId: id });
  if (order === null) return;
  await readHistoryOf(actor, { intent, address: order.fromAddress, order });
}

export async function describeCoins(store: Db | Tx, intent: Intent): Promise<OutcomeSubject> {
  const { tenant, id: intentId } = intent;
  const id = walletIdOf(intent);
  const [row] = await store
    .select({ address: wallet.address })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), eq(wallet.id, id)));
  const href = row === undefined ? null : `/wallets/${encodeURIComponent(id)}`;
  const order = await readSentOrder(store, { tenant, intentId });
  const sent = order === null ? null : { amount: order.amount, asset: order.asset };
  const candidates = (await effectsOf(store, intent)).map(({ hash, at }) => ({
    id: hash,
    at: at.toISOString(),
    link: order === null ? null : publicLink(tenant, order.network, hash),
  }));
  return { subject: row?.address ?? id, amount: null, href, destination: order?.to ?? null, coins: sent, candidates };
}
