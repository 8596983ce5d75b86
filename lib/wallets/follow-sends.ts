import { watchId } from "@/lib/permission/watches";
import { and, eq, isNotNull, isNull, or, sql } from "drizzle-orm";
import { type Db, db } from "@/lib/db/connection";
import { providerIntent } from "@/lib/db/tables/provider";
import { chainReading, cryptoOrder, wallet } from "@/lib/db/tables/wallets";
import { AppError } from "@/lib/errors/app-error";
import { log } from "@/lib/log/log";
import type { Actor } from "@/lib/permission/grant";
import { intents } from "@/lib/provider/intents/intent";
import { endHeld, type Intent, ofIntent, wasSaid } from "@/lib/provider/intents/intent-record";
import { triggerWatch } from "@/lib/watch/watch";
import { effectsOf, isOfAnother, readHistoryOf, walletIdOf } from "./chain-effects";
import type { CoinOrder } from "./fingerprint";
import { sendCoins } from "./send-coins";
import { noteOrderEnd, readCoinOrder } from "./sent-order";

const MAX_SENDS = 50;
const MAX_READINGS = 5;
const BY = watchId("wallets");

type Followed = { intent: Intent; address: string; order: CoinOrder };

/** Held, unknown, or settled by a person: the chain decides. */
async function sendsToFollow(store: Db, tenant: string): Promise<Followed[]> {
  const isOpen = or(eq(providerIntent.state, "UNKNOWN"), eq(providerIntent.state, "HELD"));
  const isUnproven = and(wasSaid, isNull(cryptoOrder.txHash));
  const rows = await store
    .select({ intent: providerIntent, address: wallet.address })
    .from(cryptoOrder)
    .innerJoin(providerIntent, ofIntent(cryptoOrder))
    .innerJoin(
      wallet,
      and(eq(wallet.tenant, cryptoOrder.tenant), eq(sql`'wallet:' || ${wallet.id}`, providerIntent.object)),
    )
    .where(and(eq(cryptoOrder.tenant, tenant), isNotNull(cryptoOrder.fingerprintSealed), or(isOpen, isUnproven)))
    .orderBy(sql`${providerIntent.endedBy} nulls first`, providerIntent.createdAt)
    .limit(MAX_SENDS);
  const read = await Promise.all(
    rows.map(async (row) => ({ ...row, order: await readCoinOrder(store, { tenant, intentId: row.intent.id }) })),
  );
  return read.flatMap(({ order, ...row }) => (order === null ? [] : [{ ...row, order }]));
}

/** A fiftieth of its age after the last reading, between half a minute and ten. */
async function isDue(store: Db, { intent, order }: Followed): Promise<boolean> {
  const isThis = and(
    eq(chainReading.tenant, intent.tenant),
    eq(chainReading.walletId, walletIdOf(intent)),
    eq(chainReading.network, order.network),
    eq(chainReading.tokenAddress, ""),
  );
  const wait = sql`greatest(interval '30 seconds',
    least(interval '10 minutes', (clock_timestamp() - ${intent.createdAt.toISOString()}::timestamptz) / 50))`;
  const isRested = and(isThis, sql`${chainReading.triedAt} > clock_timestamp() - ${wait}`);
  return (await store.$count(chainReading, isRested)) === 0;
}

async function settleBy(actor: Actor, store: Db, intent: Intent, txHash: string): Promise<void> {
  const { tenant, id, state } = intent;
  const key = { tenant, intentId: id };
  if (state === "REFUSED") return intents.contradict(actor, sendCoins.intent, id);
  const isIts = await store.transaction(async (tx) => {
    if (await isOfAnother(tx, intent, txHash)) return false;
    const stored = JSON.stringify({ txHash });
    if (state === "HELD") await endHeld(tx, { intent, kind: sendCoins.intent, by: BY, stored, code: null });
    else await noteOrderEnd(tx, key, { isOpen: state !== "DONE", txHash });
    return true;
  });
  if (!isIts) return;
  if (state === "UNKNOWN") await intents.confirm(actor, sendCoins.intent, id);
  await triggerWatch(tenant, "approvals");
}

/** Settles held, unknown and settled transfers of coins by their wallets' histories. */
export async function followSends(actor: Actor<"wallets:read">): Promise<void> {
  const store = await db();
  let readings = 0;
  for (const send of await sendsToFollow(store, actor.tenant)) {
    const { intent } = send;
    try {
      if (readings < MAX_READINGS && (await isDue(store, send))) {
        readings += 1;
        await readHistoryOf(actor, send);
      }
      const sure = (await effectsOf(store, intent)).filter(({ isSure }) => isSure);
      const [only, another] = sure;
      if (only !== undefined && another === undefined) await settleBy(actor, store, intent, only.hash);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log.warn({ tenant: actor.tenant, kind: error.kind }, "coins that were sent could not be followed");
    }
  }
}
