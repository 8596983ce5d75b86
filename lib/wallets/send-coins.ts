import { sql } from "drizzle-orm";
import { z } from "zod";
import { defineWrite, type Ordering } from "@/lib/approvals/define-write";
import { ASKED, executeOrPropose } from "@/lib/approvals/propose";
import { findApproval, isOrdered } from "@/lib/approvals/records";
import { refuseRestored } from "@/lib/approvals/restore";
import { type Fact, type Shown, type ShownValue } from "@/lib/approvals/snapshot";
import type { ApprovalReason } from "@/lib/approvals/view";
import { record } from "@/lib/audit/record";
import { db, type Tx } from "@/lib/db/connection";
import { publish } from "@/lib/db/publish";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import type { Policy } from "@/lib/permission/writes";
import type { IntentEnd } from "@/lib/provider/intents/intent-record";
import { sendCryptoTransfer } from "@/lib/provider/operations";
import { coinsProof, describeCoins, effectsOf, lookAtChain } from "./chain-effects";
import { readRepeats, refuseDuplicate } from "./duplicates";
import { publicLink } from "./explorer";
import { refreshHistory, wasReadSinceStart } from "./history";
import { CryptoOrder, type SendOrder } from "./inputs";
import { likeMovements } from "./like-movements";
import { lookAlikesOf, requireSeen } from "./look-alikes";
import { whyLost } from "./lost-coins";
import { readSendForm } from "./send-form";
import { assetOf, heldOf, overOf, ownerOf } from "./sending";
import { keepBefore } from "./sent-fee";
import { earlierUse, noteOrderEnd, storeSentOrder } from "./sent-order";
import { REPEAT_DAYS, type RepeatedSend, type SendAnswer } from "./view";
import { tokenOf } from "./xrpl-token";

/** Null when the effect was seen but the answer was lost. */
const SentHash = z.object({ txHash: z.string() }).nullable();
type SentHash = z.infer<typeof SentHash>;

const CODE = "crypto-transfers.create";

async function onOutcome(tx: Tx, { intent, by, outcome, stored }: IntentEnd<SentHash>): Promise<void> {
  const { tenant, id: intentId, object, state, status, code } = intent;
  const detail = { status, code, txHash: stored?.txHash ?? null };
  const isOpen = state !== "DONE" && state !== "REFUSED";
  await noteOrderEnd(tx, { tenant, intentId }, { isOpen, txHash: stored?.txHash });
  await publish(tx, { tenant, topic: "wallets", object: object.replace("wallet:", "") });
  await record(tx, { tenant, actor: by, outcome, code: CODE, object, intentId, detail });
}

function bodyOf({ walletId: _wallet, intentId: _intent, seen: _seen, seenAlike: _alike, ...body }: CryptoOrder) {
  return body;
}

type Sender = Actor<"crypto-transfers:create">;
type Sending = Ordering<"crypto-transfers:create", CryptoOrder>;

const orderedCoins = ({ actor: { tenant }, order }: Sending) => ({
  tenant,
  walletId: order.walletId,
  order,
  except: order.intentId,
});

async function validate(tx: Tx, sending: Sending): Promise<void> {
  const { actor, order, approvalId } = sending;
  const { tenant } = actor;
  // A proposal may wait for days, in which a balance may show its destination to be a token.
  if ((await whyLost(tx, tenant, order)) !== null) throw new AppError("conflict", { code: "crypto-address-lost" });
  if (approvalId === null) await requireSeen(tx, tenant, order);
  else await refuseRestored(tx, { tenant, id: approvalId });
  await refuseDuplicate(tx, orderedCoins(sending), order.seen);
}

async function keep(tx: Tx, { actor: { tenant }, order }: Sending): Promise<void> {
  const { walletId, intentId } = order;
  await storeSentOrder(tx, { tenant, intentId }, { walletId, order, asset: await assetOf(tx, tenant, order) });
}

async function open(tx: Tx, sending: Sending): Promise<void> {
  const { actor, order, object } = sending;
  const { intentId, network, amount } = order;
  await keep(tx, sending);
  const detail = { network, amount, tokenAddress: tokenOf(order) };
  const what = { code: CODE, object, intentId, detail } as const;
  await record(tx, { tenant: actor.tenant, actor: actor.id, outcome: "INTENT", ...what });
}

const fact = (name: Fact["name"], after: Fact["after"]): Fact => ({ name, before: null, after });
const shownAddress = (address: string) => ({ as: "address", address }) as const;

/** The facts that its maker saw in the review. */
async function reviewFacts(tx: Tx, { actor: { tenant, id: makerId }, order }: Sending): Promise<Fact[]> {
  const { walletId, network, amount } = order;
  const token = tokenOf(order) ?? "";
  const ours = await ownerOf(tx, tenant, { ...order, makerId });
  const alike = await lookAlikesOf(tx, tenant, order);
  const { isFirstUse, elsewhere } = await earlierUse(tx, tenant, order, alike);
  const over = overOf(amount, await heldOf(tx, tenant, { walletId, network, token }));
  return [
    ...(ours === null ? [] : [fact("ours", { as: "wallet", ...ours })]),
    ...(alike.length === 0 ? [] : [fact("alike", { as: "alike", found: alike })]),
    ...(isFirstUse ? [fact("firstUse", { as: "networks", networks: elsewhere })] : []),
    ...(over === null ? [] : [fact("over", { as: "held", ...over, asset: await assetOf(tx, tenant, order) })]),
  ];
}

const shownRepeat = ({ at, txHash }: RepeatedSend) => ({ at, txHash });

async function show(tx: Tx, sending: Sending, why: ApprovalReason): Promise<Shown> {
  const { actor, order } = sending;
  const { walletId, network, fromAddress, to, amount, tokenAddress, issuer } = order;
  const repeats = await readRepeats(tx, orderedCoins(sending));
  const sum: ShownValue = { as: "coins", amount, asset: await assetOf(tx, actor.tenant, order) };
  const token = issuer ?? tokenAddress;
  return {
    headline: sum,
    href: `/wallets/${encodeURIComponent(walletId)}`,
    facts: [
      fact("amount", sum),
      fact("network", { as: "network", network }),
      ...(token === undefined ? [] : [fact("token", shownAddress(token))]),
      fact("from", shownAddress(fromAddress)),
      fact("to", shownAddress(to)),
      ...(repeats.length === 0 ? [] : [fact("repeat", { as: "sends", sends: repeats.map(shownRepeat) })]),
      ...(await reviewFacts(tx, sending)),
      fact("why", { as: "why", ...why }),
    ],
  };
}

/** Throws unavailable `crypto-history-unread` when the provider returns no history. */
async function readChain(actor: Sender, order: CryptoOrder): Promise<void> {
  const { walletId, network, fromAddress: address } = order;
  await refreshHistory(actor, { walletId, address, network }, { token: tokenOf(order) }).catch((error: unknown) => {
    throw error instanceof AppError
      ? new AppError("unavailable", { code: "crypto-history-unread", mayHaveExecuted: false, cause: error })
      : error;
  });
}

/** For a delayed send, and a wallet's first since the start: an answer, or its record, may have been lost. */
async function recheck(sending: Sending): Promise<void> {
  const { actor, order, approvalId } = sending;
  const { tenant } = actor;
  const store = await db();
  const proposed = approvalId === null ? null : await findApproval(store, { tenant, id: approvalId });
  const isRead = approvalId === null && wasReadSinceStart(tenant, order);
  if (!isRead) await readChain(actor, order);
  // The watch may have read it after the transaction, so both check.
  const proposedAt = sql`${proposed?.createdAt.toISOString() ?? null}::timestamptz`;
  const since = sql`least(${proposedAt}, clock_timestamp() - interval '1 day' * ${REPEAT_DAYS})`;
  const seen = await likeMovements(store, { ...orderedCoins(sending), since });
  if (!seen.every(({ hash }) => order.seen.includes(hash)))
    throw new AppError("conflict", {
      code: approvalId === null ? "crypto-transfer-repeated" : "crypto-transfer-on-chain",
    });
  const { walletId, network, intentId } = order;
  await keepBefore(store, intentId, { tenant, walletId, network }, tokenOf(order));
}

export const needsSecond = ({ rule }: Policy): boolean => rule !== "never";

/** No Idempotency-Key, and irreversible (interface: Crypto wallets › POST /v1/crypto/transfer). */
export const sendCoins = defineWrite({
  name: "crypto.transfer",
  order: CryptoOrder,
  objectOf: async (_store, _tenant, { walletId }) => `wallet:${walletId}`,
  validate,
  approval: {
    isExclusive: false,
    needsApproval: async (_tx, _sending, policy) => (needsSecond(policy) ? ASKED : null),
    show,
    proposed: keep,
  },
  operation: sendCryptoTransfer,
  isKeyed: false,
  busyCode: null,
  unconfirmedCode: "crypto-transfer-unconfirmed",
  bodyOf,
  opened: open,
  recheck,
  stored: SentHash,
  toStore: ({ data }) => ({ txHash: data.txHash }),
  ended: onOutcome,
  settle: {
    needsSecond: true,
    describe: describeCoins,
    candidatesOf: async (tx, intent) => (await effectsOf(tx, intent)).map(({ hash }) => hash),
    isRuledOutFirst: true,
    proof: coinsProof,
    look: lookAtChain,
  },
});

/** Sends or proposes, once per intent. Throws as `executeOrPropose`, not-found and invalid with its field. */
export async function orderCoins(
  actor: Sender,
  { intentId, middleSix: _middleSix, seen, seenAlike, ...form }: SendOrder,
): Promise<SendAnswer> {
  const store = await db();
  const { tenant } = actor;
  const isRepeat = await isOrdered(store, tenant, intentId);
  const read = await readSendForm(store, tenant, form).catch((refusal: unknown) => {
    // Once it was sent, the balance may no longer name its token.
    throw isRepeat ? new AppError("conflict", { code: "intent-already-sent" }) : refusal;
  });
  const done = await executeOrPropose(sendCoins, actor, { ...read.order, intentId, seen, seenAlike });
  if (done.state === "PROPOSED") return { state: done.state, approvalId: done.approvalId };
  if (done.state === "HELD") {
    const { state, antifraudId, pendingExpiresAt } = done;
    return { state, antifraudId, until: pendingExpiresAt?.toISOString() ?? null };
  }
  const txHash = done.stored?.txHash ?? null;
  const hash = txHash === null ? null : { txHash, link: publicLink(tenant, form.network, txHash) };
  return { state: done.state, hash };
}
