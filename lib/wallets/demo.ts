import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import { COINS } from "@/lib/contract/coins";
import type { Network } from "@/lib/contract/crypto";
import type { Db } from "@/lib/db/connection";
import { chainMovement, cryptoOrder, wallet } from "@/lib/db/tables/wallets";
import type { Actor } from "@/lib/permission/grant";
import { recallIntent } from "@/lib/provider/intents/recall";
import { isDecimal } from "@/lib/text/format";
import { movementState } from "./chain-state";
import { CryptoOrder, networksOf, SendOrder } from "./inputs";
import { orderCoins, sendCoins } from "./send-coins";
import { heldOf } from "./sending";
import { storeSentOrder } from "./sent-order";
import { mayBeCoin, middleOf, movementDirection, type SendAnswer } from "./view";

type Maker = Actor<"crypto-transfers:create">;

/** `agree` and the others: what people do about a request; `tried`: null of what was refused. */
type Desk = {
  maker: Maker;
  agree: (approvalId: string) => Promise<unknown>;
  reject: (approvalId: string) => Promise<unknown>;
  withdraw: (approvalId: string) => Promise<unknown>;
  tried: <Done>(ordering: Promise<Done>) => Promise<Done | null>;
};

const LEAST_PAST = 6;
const MOST_PAST = 30;

type Past = { walletId: string; from: string; network: Network; to: string; amount: string; hash: string; at: Date };

/** What left the demo's own wallets, as the histories that were read tell. */
async function findPast(store: Db, tenant: string): Promise<Past[]> {
  const rows = await store
    .select({ movement: chainMovement, from: wallet.address })
    .from(chainMovement)
    .innerJoin(wallet, and(eq(wallet.tenant, chainMovement.tenant), eq(wallet.id, chainMovement.walletId)))
    .where(
      and(
        eq(chainMovement.tenant, tenant),
        isNull(chainMovement.droppedAt),
        sql`${wallet.isForwardPayment} is not true`,
        inArray(sql`lower(${chainMovement.subtype})`, ["outgoing"]),
      ),
    )
    .orderBy(desc(chainMovement.at))
    .limit(MOST_PAST);
  return rows.flatMap(({ movement, from }) => {
    const { walletId, network, counterAddress: to, amount, hash, at, subtype } = movement;
    const isWhole = movementState(movement) === "confirmed" && movementDirection(subtype) === "out";
    const isOfCoin = mayBeCoin(movement) && isDecimal(amount);
    return isWhole && isOfCoin ? [{ walletId, from, network, to, amount, hash, at }] : [];
  });
}

type PastOrder = Omit<Past, "hash"> & { hash: string | null };

/** As if it had been ordered here then; `hash` null: its answer was lost. */
async function putOnRecord(store: Db, maker: Maker, { walletId, from, hash, at, ...sent }: PastOrder): Promise<void> {
  const { tenant, id: staffId } = maker;
  const { network, to, amount } = sent;
  const body = { network, fromAddress: from, to, amount };
  const object = `wallet:${walletId}` as const;
  await store.transaction(async (tx) => {
    const stored = hash === null ? null : { txHash: hash };
    const past = { kind: sendCoins.intent, body, object, stored, finishedAt: at, isLost: hash === null };
    const intent = await recallIntent(tx, maker, past);
    const intentId = intent.id;
    const order = CryptoOrder.parse({ ...body, walletId, intentId });
    await storeSentOrder(tx, { tenant, intentId }, { walletId, order, asset: COINS[network] });
    const what = { code: "crypto-transfers.create", object, intentId } as const;
    const detail = { network, amount, tokenAddress: null };
    await record(tx, { tenant, actor: staffId, outcome: "INTENT", ...what, detail });
    await sendCoins.intent.ended(tx, intent, staffId);
    await tx
      .update(cryptoOrder)
      .set({ orderedAt: intent.createdAt })
      .where(and(eq(cryptoOrder.tenant, tenant), eq(cryptoOrder.intentId, intentId)));
  });
}

type Rich = { walletId: string; from: string; network: Network; balance: number };

/** What holds the most of its network's coin stands first. */
async function findRich(store: Db, tenant: string): Promise<Rich[]> {
  const rows = await store
    .select()
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), sql`${wallet.isForwardPayment} is not true`))
    .orderBy(asc(wallet.createdAt));
  const rich: Rich[] = [];
  for (const { id, address, family } of rows)
    for (const network of networksOf(family)) {
      const { held } = await heldOf(store, tenant, { walletId: id, network, token: "" });
      rich.push({ walletId: id, from: address, network, balance: Number(held?.balance ?? 0) });
    }
  return rich.filter(({ balance }) => balance > 0).toSorted((one, other) => other.balance - one.balance);
}

type Sending = { from: Rich; to: string; amount: string };

const order = (maker: Maker, { from, to, amount }: Sending): Promise<SendAnswer> =>
  orderCoins(
    maker,
    SendOrder.parse({
      walletId: from.walletId,
      network: from.network,
      token: "",
      to,
      amount,
      intentId: randomUUID(),
      middleSix: middleOf(to).text,
    }),
  );

/** From here on the provider's antifraud holds it. */
const HELD = "12";
/** The provider refuses it: no wallet of the demo holds as much. */
const TOO_MUCH = "900000000";
const LOST_AGO_MS = 3 * 60 * 60_000;

const deedsOf = ({ agree, reject, withdraw }: Desk) => [
  { amount: "0.75", decide: agree },
  { amount: TOO_MUCH, decide: agree },
  { amount: HELD, decide: agree },
  { amount: "2.5", decide: reject },
  { amount: "1.2", decide: withdraw },
  { amount: "3.4", decide: null },
];

/**
 * Sends of each outcome, and those of the last weeks as the chains tell them; once, where nobody has ordered coins. False while
 * too little of the histories is read.
 */
export async function recallSends(store: Db, desk: Desk): Promise<boolean> {
  const { maker, tried } = desk;
  const { tenant } = maker;
  if ((await store.$count(cryptoOrder, eq(cryptoOrder.tenant, tenant))) > 0) return true;
  const past = await findPast(store, tenant);
  const payee = (of: Pick<Rich, "network">) => past.find(({ network }) => network === of.network)?.to;
  const [richest, ...others] = (await findRich(store, tenant)).filter((one) => payee(one) !== undefined);
  const to = richest === undefined ? undefined : payee(richest);
  if (past.length < LEAST_PAST || richest === undefined || to === undefined) return false;
  for (const one of past.toReversed()) await putOnRecord(store, maker, one);
  for (const { amount, decide } of deedsOf(desk)) {
    const answer = await tried(order(maker, { from: richest, to, amount }));
    if (answer?.state === "PROPOSED" && decide !== null) await tried(decide(answer.approvalId));
  }
  const lost = others.find(({ network }) => network !== richest.network) ?? richest;
  const at = new Date(Date.now() - LOST_AGO_MS);
  await putOnRecord(store, maker, { ...lost, to: payee(lost) ?? to, amount: "0.0042", hash: null, at });
  return true;
}
