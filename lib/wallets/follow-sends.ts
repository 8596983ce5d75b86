import { watchId } from "@/lib/permission/watches";
import { and, eq, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { type Db, db } from "@/lib/db/connection";
import { providerIntent } from "@/lib/db/tables/provider";
import { chainMovement, chainReading, cryptoOrder, wallet } from "@/lib/db/tables/wallets";
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

const MAX_SENDS = 200;
const MAX_READINGS = 5;
const BY = watchId("wallets");

type Followed = { intent: Intent; address: string; order: CoinOrder };

/** Held, unknown, or settled by a person: the chain decides. */
async function sendsToFollow(store: Db, tenant: string, which: SQL, first: readonly SQL[]): Promise<Followed[]> {
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
    .leftJoin(
      chainReading,
      and(
        eq(chainReading.tenant, cryptoOrder.tenant),
        eq(chainReading.walletId, wallet.id),
        eq(chainReading.network, cryptoOrder.network),
        eq(chainReading.tokenAddress, ""),
      ),
    )
    .where(and(eq(cryptoOrder.tenant, tenant), isNotNull(cryptoOrder.fingerprintSealed), or(isOpen, isUnproven), which))
    .orderBy(sql`${providerIntent.endedBy} nulls first`, ...first, providerIntent.createdAt)
    .limit(MAX_SENDS);
  const read = await Promise.all(
    rows.map(async (row) => ({ ...row, order: await readCoinOrder(store, { tenant, intentId: row.intent.id }) })),
  );
  return read.flatMap(({ order, ...row }) => (order === null ? [] : [{ ...row, order }]));
}

const isRested = sql`coalesce(${chainReading.triedAt} <= clock_timestamp() - interval '30 seconds', true)`;

/** Something of its amount moved on its network since. */
const maybeSeen = sql`exists (select from ${chainMovement} where ${chainMovement.tenant} = ${cryptoOrder.tenant}
  and ${chainMovement.walletId} = ${wallet.id} and ${chainMovement.network} = ${cryptoOrder.network}
  and abs(${chainMovement.value}) = ${cryptoOrder.value}
  and ${chainMovement.at} >= coalesce(${providerIntent.firstSentAt}, ${providerIntent.createdAt}) - interval '5 minutes')`;

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
  const wasReadLately = and(isThis, sql`${chainReading.triedAt} > clock_timestamp() - ${wait}`);
  return (await store.$count(chainReading, wasReadLately)) === 0;
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

/** Whoever waits for a person must not keep the histories of others from being read. */
async function readHistories(actor: Actor<"wallets:read">, store: Db): Promise<void> {
  let readings = 0;
  for (const send of await sendsToFollow(store, actor.tenant, isRested, [sql`${chainReading.triedAt} nulls first`])) {
    if (readings === MAX_READINGS) return;
    if (!(await isDue(store, send))) continue;
    readings += 1;
    await orWarned(actor, readHistoryOf(actor, send));
  }
}

async function orWarned(actor: Actor, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.warn({ tenant: actor.tenant, kind: error.kind }, "coins that were sent could not be followed");
  }
}

async function settleSeen(actor: Actor, store: Db, intent: Intent): Promise<void> {
  const seen = await effectsOf(store, intent);
  // One that has no block yet may be this order's, too.
  const [only, another] = new Set(seen.map(({ hash }) => hash));
  const isSure = another === undefined && seen.some((one) => one.isSure);
  if (only !== undefined && isSure) await settleBy(actor, store, intent, only);
}

/** Settles held, unknown and settled transfers of coins by their wallets' histories. */
export async function followSends(actor: Actor<"wallets:read">): Promise<void> {
  const store = await db();
  await readHistories(actor, store);
  for (const { intent } of await sendsToFollow(store, actor.tenant, maybeSeen, []))
    await orWarned(actor, settleSeen(actor, store, intent));
}
