import { and, eq, inArray, ne, sql } from "drizzle-orm";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { holdLock } from "@/lib/db/lock";
import { chainMovement, cryptoOrder, hashKey, wallet } from "@/lib/db/tables/wallets";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import type { Intent } from "@/lib/provider/intents/intent-record";
import type { OutcomeSubject } from "@/lib/provider/intents/settling";
import { publicLink } from "./explorer";
import type { CoinOrder } from "./fingerprint";
import { refreshHistory } from "./history";
import { type LikeMovement, likeMovements } from "./like-movements";
import { noteOrderEnd, readCoinOrder, readSentOrder } from "./sent-order";
import { tokenOf } from "./xrpl-token";

/** Blocks are stamped by other clocks. */
export const CLOCKS_DIFFER_MS = 5 * 60_000;

export const walletIdOf = ({ object }: Intent) => object.replace("wallet:", "");

const sentAt = ({ firstSentAt, createdAt }: Intent) =>
  new Date((firstSentAt ?? createdAt).getTime() - CLOCKS_DIFFER_MS);

/** Possible effects of this intent in the last read chain history. */
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

const bareHash = (hash: string) => hash.toLowerCase().replace(/^0x/, "");

/** Held until `tx` ends, so that two orders are not ended with one hash together. */
export async function isOfAnother(tx: Tx, { tenant, id }: Intent, hash: string): Promise<boolean> {
  const bare = bareHash(hash);
  await holdLock(tx, `${tenant} coins sent as ${bare}`);
  const isOther = and(
    eq(cryptoOrder.tenant, tenant),
    eq(hashKey(cryptoOrder.txHash), bare),
    ne(cryptoOrder.intentId, id),
  );
  return (await tx.$count(cryptoOrder, isOther)) > 0;
}

/** Another order's hash, or one that the wallet's history tells of something else, proves nothing of this one. */
async function refuseHash(tx: Tx, intent: Intent, hash: string): Promise<void> {
  const { tenant } = intent;
  const bare = bareHash(hash);
  if (await isOfAnother(tx, intent, hash)) throw new AppError("conflict", { code: "outcome-hash-taken" });
  const isTold = and(
    eq(chainMovement.tenant, tenant),
    eq(chainMovement.walletId, walletIdOf(intent)),
    inArray(sql`lower(${chainMovement.hash})`, [bare, `0x${bare}`]),
  );
  if ((await tx.$count(chainMovement, isTold)) === 0) return;
  const effects = await effectsOf(tx, intent);
  if (!effects.some((one) => bareHash(one.hash) === bare))
    throw new AppError("conflict", { code: "outcome-hash-other" });
}

export const coinsProof = {
  refuse: refuseHash,
  keep: (tx: Tx, { tenant, id: intentId }: Intent, txHash: string): Promise<void> =>
    noteOrderEnd(tx, { tenant, intentId }, { isOpen: false, txHash }),
};

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
