import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import {
  ASKED,
  type Carried,
  executeOrPropose,
  type Proposed,
  type Proposing,
  sentKind,
} from "@/lib/approvals/propose";
import { findApproval } from "@/lib/approvals/records";
import { refuseRestored } from "@/lib/approvals/restore";
import { COINS } from "@/lib/contract/coins";
import { tokenKey } from "@/lib/contract/identity";
import { type Fact, type ShownValue, shownText } from "@/lib/approvals/snapshot";
import type { Policy } from "@/lib/approvals/view";
import { recordIncident } from "@/lib/audit/incident";
import { record } from "@/lib/audit/record";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { publish } from "@/lib/db/publish";
import { wallet, walletBalance } from "@/lib/db/tables/wallets";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import type { IntentOutcome } from "@/lib/provider/intents/intent";
import { type IntentEnd, intentKind } from "@/lib/provider/intents/intent-record";
import { sendCryptoTransfer } from "@/lib/provider/operations";
import { readRepeats, refuseDuplicate } from "./duplicates";
import { refreshHistory, wasReadSinceStart } from "./history";
import { CryptoOrder } from "./inputs";
import { likeMovements } from "./like-movements";
import { lookAlikesOf, requireSeen } from "./look-alikes";
import { whyLost } from "./lost-coins";
import { heldOf, overOf, ownerOf } from "./sending";
import { noteOrderEnd, storeSentOrder, wasSentTo } from "./sent-order";
import { REPEAT_DAYS, type RepeatedSend } from "./view";
import { tokenOf, withToken } from "./xrpl-token";

/** It is null when the effect was seen but the answer was lost. */
const Sent = z.object({ txHash: z.string() }).nullable();
type Sent = z.infer<typeof Sent>;

const CODE = "crypto-transfers.create";

async function onOutcome(tx: Tx, { intent, by, outcome, stored }: IntentEnd<Sent>): Promise<void> {
  const { tenant, id: intentId, object, state, status, code } = intent;
  const detail = { status, code, txHash: stored?.txHash ?? null };
  const isOpen = state !== "DONE" && state !== "REFUSED";
  await noteOrderEnd(tx, { tenant, intentId }, { isOpen, txHash: stored?.txHash });
  await publish(tx, { tenant, topic: "wallets", object: object.replace("wallet:", "") });
  await record(tx, { tenant, actor: by, outcome, code: CODE, object, intentId, detail });
}

/** No Idempotency-Key, and irreversible (interface: Crypto wallets › POST /v1/crypto/transfer). */
export const cryptoTransfer = intentKind({
  operation: sendCryptoTransfer,
  isKeyed: false,
  busyCode: null,
  unconfirmedCode: "crypto-transfer-unconfirmed",
  stored: Sent,
  toStore: ({ data }) => ({ txHash: data.txHash }),
  ended: onOutcome,
  unreadable: recordIncident,
});

/** Names the wallet by the provider's id, or by address when the watch has not seen it. */
export async function walletObject(store: Db | Tx, tenant: string, address: string): Promise<string> {
  const [row] = await store
    .select({ id: wallet.id })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), eq(wallet.address, address)))
    .limit(1);
  return `wallet:${row?.id ?? address}`;
}

function cryptoBody({ intentId: _intent, seen: _seen, seenAlike: _seenAlike, ...body }: CryptoOrder) {
  return body;
}

async function walletIdOf(store: Db | Tx, tenant: string, { fromAddress }: CryptoOrder): Promise<string | null> {
  const object = await walletObject(store, tenant, fromAddress);
  return object === `wallet:${fromAddress}` ? null : object.replace("wallet:", "");
}

const orderedCoins = async (store: Db | Tx, tenant: string, order: CryptoOrder) => ({
  tenant,
  walletId: await walletIdOf(store, tenant, order),
  order,
  except: order.intentId,
});

type Maker = Actor<"crypto-transfers:create">;

async function refuseLike(tx: Tx, tenant: string, order: CryptoOrder): Promise<void> {
  await refuseDuplicate(tx, await orderedCoins(tx, tenant, order), order.seen);
}

async function validate(tx: Tx, { tenant }: Maker, order: CryptoOrder): Promise<void> {
  await requireSeen(tx, tenant, order);
  await refuseLike(tx, tenant, order);
}

async function keep(tx: Tx, { tenant }: Maker, order: CryptoOrder): Promise<void> {
  await storeSentOrder(tx, { tenant, intentId: order.intentId }, { order, asset: await assetOf(tx, tenant, order) });
}

type Carrying = Carried<"crypto-transfers:create", CryptoOrder>;

async function open(tx: Tx, { actor, order, object, approvalId }: Carrying): Promise<void> {
  const { tenant, id } = actor;
  // What was proposed may wait for days, and a balance name its destination as a token meanwhile.
  if ((await whyLost(tx, tenant, order)) !== null) throw new AppError("conflict", { code: "crypto-address-lost" });
  const { intentId, network, amount } = order;
  // Since it was proposed a like one may have left; alone it was judged in this transaction.
  if (approvalId !== null) {
    await refuseRestored(tx, { tenant, id: approvalId });
    await refuseLike(tx, tenant, order);
  }
  await keep(tx, actor, order);
  const detail = { network, amount, tokenAddress: tokenOf(order) };
  await record(tx, { tenant, actor: id, outcome: "INTENT", code: CODE, object, intentId, detail });
}

const fact = (name: Fact["name"], after: Fact["after"]): Fact => ({ name, before: null, after });
const shownAddress = (address: string) => ({ as: "address", address }) as const;

/** What is sent, as the wallet's balance names it; a token nobody named is its address, and never the chain's coin. */
export async function assetOf(
  store: Db | Tx,
  tenant: string,
  order: Pick<CryptoOrder, "network" | "fromAddress" | "tokenAddress" | "currency" | "issuer">,
): Promise<string> {
  const { network, fromAddress } = order;
  const token = tokenOf(order);
  if (token === null) return COINS[network];
  const isFrom = and(eq(wallet.tenant, tenant), eq(wallet.address, fromAddress), eq(walletBalance.network, network));
  const ofWallet = and(eq(walletBalance.tenant, wallet.tenant), eq(walletBalance.walletId, wallet.id));
  const found = await store
    .select({ entries: walletBalance.entries })
    .from(walletBalance)
    .innerJoin(wallet, ofWallet)
    .where(isFrom);
  const entry = found
    .flatMap(({ entries }) => entries)
    .flatMap((one) => ("asset" in one ? [withToken(network, one)] : []))
    .find(({ tokenAddress }) => tokenKey(network, tokenAddress) === tokenKey(network, token));
  return entry === undefined || entry.asset === "" ? (order.currency ?? token) : entry.asset;
}

/** What its maker was told in the review. */
async function reviewFacts(
  { store, tenant, order, makerId }: Proposing<CryptoOrder>,
  walletId: string | null,
): Promise<Fact[]> {
  const { network, amount } = order;
  const token = tokenOf(order) ?? "";
  const ours = await ownerOf(store, tenant, { ...order, makerId });
  const alike = await lookAlikesOf(store, tenant, order);
  const over = walletId === null ? null : overOf(amount, await heldOf(store, tenant, { walletId, network, token }));
  return [
    ...(ours === null ? [] : [fact("ours", { as: "wallet", ...ours })]),
    ...(alike.length === 0 ? [] : [fact("alike", { as: "alike", found: alike })]),
    ...((await wasSentTo(store, tenant, order)) ? [] : [fact("firstUse", shownText(""))]),
    ...(over === null ? [] : [fact("over", { as: "held", ...over, asset: await assetOf(store, tenant, order) })]),
  ];
}

const shownRepeat = ({ at, txHash }: RepeatedSend) => ({ at, txHash });

async function show(proposing: Proposing<CryptoOrder>) {
  const { store, tenant, order, why } = proposing;
  const { network, fromAddress, to, amount, tokenAddress, issuer } = order;
  const repeats = await readRepeats(store, await orderedCoins(store, tenant, order));
  const walletId = await walletIdOf(store, tenant, order);
  const sum: ShownValue = { as: "coins", amount, asset: await assetOf(store, tenant, order) };
  const token = issuer ?? tokenAddress;
  return {
    headline: sum,
    href: walletId === null ? null : `/wallets/${encodeURIComponent(walletId)}`,
    facts: [
      fact("amount", sum),
      fact("network", { as: "network", network }),
      ...(token === undefined ? [] : [fact("token", shownAddress(token))]),
      fact("from", shownAddress(fromAddress)),
      fact("to", shownAddress(to)),
      ...(repeats.length === 0 ? [] : [fact("repeat", { as: "sends", sends: repeats.map(shownRepeat) })]),
      ...(await reviewFacts(proposing, walletId)),
      fact("why", { as: "why", ...why }),
    ],
  };
}

/** Throws unavailable `crypto-history-unread` where the provider tells no history. */
async function readChain(actor: Maker, walletId: string, order: CryptoOrder): Promise<void> {
  const { network, fromAddress: address } = order;
  await refreshHistory(actor, { walletId, address, network }, { token: tokenOf(order) }).catch((error: unknown) => {
    throw error instanceof AppError
      ? new AppError("unavailable", { code: "crypto-history-unread", mayHaveExecuted: false, cause: error })
      : error;
  });
}

/** What waited, and the first send from a wallet since the start: an answer, or this record of it, may have been lost. */
async function recheck({ actor, order, approvalId }: Carrying): Promise<void> {
  const { tenant } = actor;
  const store = await db();
  const ordered = await orderedCoins(store, tenant, order);
  const { walletId } = ordered;
  if (walletId === null) return;
  const proposed = approvalId === null ? null : await findApproval(store, { tenant, id: approvalId });
  const isRead = approvalId === null && wasReadSinceStart(tenant, { walletId, network: order.network });
  if (!isRead) await readChain(actor, walletId, order);
  // The watch may have read it between the transaction and now, so both look.
  const proposedAt = sql`${proposed?.createdAt.toISOString() ?? null}::timestamptz`;
  const since = sql`least(${proposedAt}, clock_timestamp() - interval '1 day' * ${REPEAT_DAYS})`;
  const seen = await likeMovements(store, { ...ordered, walletId, since });
  if (seen.every(({ hash }) => order.seen.includes(hash))) return;
  throw new AppError("conflict", {
    code: approvalId === null ? "crypto-transfer-repeated" : "crypto-transfer-on-chain",
  });
}

export const needsApproval = ({ rule }: Policy): boolean => rule !== "never";

export const cryptoApproval = sentKind({
  name: "crypto.transfer",
  permission: "crypto-transfers:create",
  order: CryptoOrder,
  intent: cryptoTransfer,
  bodyOf: cryptoBody,
  isExclusive: false,
  objectOf: ({ store, tenant, order }) => walletObject(store, tenant, order.fromAddress),
  validate,
  needsApproval: async ({ policy }) => (needsApproval(policy) ? ASKED : null),
  proposed: keep,
  show,
  opened: open,
  recheck,
});

/** Sends coins or tokens from a wallet, once per intent, or proposes it. Throws as `executeOrPropose`. */
export const orderCryptoTransfer = (
  actor: Actor<"crypto-transfers:create">,
  order: CryptoOrder,
): Promise<IntentOutcome<Sent> | Proposed> => executeOrPropose(cryptoApproval, actor, order);
