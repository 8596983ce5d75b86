import { and, desc, eq, gt, gte, isNotNull, isNull, lte, sql } from "drizzle-orm";
import type { Network } from "@/lib/contract/crypto";
import type { Db } from "@/lib/db/connection";
import { chainMovement, chainReading, cryptoOrder, hashKey } from "@/lib/db/tables/wallets";
import { isDecimal } from "@/lib/text/format";
import { movementState } from "./chain-state";
import { CLOCKS_DIFFER_MS } from "./chain-effects";
import { readHeld } from "./history";
import { derivedFee, type Native } from "./movements";
import { heldOf } from "./sending";
import type { HeldThen } from "./sends-view";

type Place = { tenant: string; walletId: string; network: Network };

const movesAt = ({ tenant, walletId, network }: Place) =>
  and(
    eq(chainMovement.tenant, tenant),
    eq(chainMovement.walletId, walletId),
    eq(chainMovement.network, network),
    isNull(chainMovement.droppedAt),
  );

/** Right before it is sent: the head of the history and the balance as read last, by which its effect and its fee are known. */
export async function keepBefore(store: Db, intentId: string, place: Place, token: string | null): Promise<void> {
  const { tenant } = place;
  const [head] = await store
    .select({ headHash: chainMovement.hash, headAt: chainMovement.at })
    .from(chainMovement)
    .where(movesAt(place))
    .orderBy(desc(chainMovement.at))
    .limit(1);
  const { native } = await readHeld(store, tenant, place);
  const asset = await heldThen(store, place, token);
  await store
    .update(cryptoOrder)
    .set({
      ...head,
      heldBefore: native?.native ?? null,
      heldBeforeAt: native?.nativeAt ?? null,
      assetBefore: asset?.amount ?? null,
      assetBeforeAt: asset === null ? null : new Date(asset.at),
    })
    .where(and(eq(cryptoOrder.tenant, tenant), eq(cryptoOrder.intentId, intentId)));
}

/** Null where no balance was read that is an exact amount. `token` null: the network's coin. */
export async function heldThen(store: Db, place: Place, token: string | null): Promise<HeldThen | null> {
  const { held, asOf } = await heldOf(store, place.tenant, { ...place, token: token ?? "" });
  if (asOf === null || held === undefined || held.doubt !== null) return null;
  return isDecimal(held.balance) ? { amount: held.balance, at: asOf } : null;
}

type Sent = { place: Place; txHash: string; before: Native };

const sameHash = (one: string, other: string) =>
  one.toLowerCase().replace(/^0x/, "") === other.toLowerCase().replace(/^0x/, "");

/** Null until both balances are read, and where anything else moved that may be in one of them and not in the other. */
async function feeOf(store: Db, { place, txHash, before }: Sent): Promise<string | null> {
  const { tenant, walletId, network } = place;
  const { native: after } = await readHeld(store, tenant, place);
  if (after === null || after.nativeAt <= before.nativeAt) return null;
  const [reading] = await store
    .select()
    .from(chainReading)
    .where(
      and(
        eq(chainReading.tenant, tenant),
        eq(chainReading.walletId, walletId),
        eq(chainReading.network, network),
        eq(chainReading.tokenAddress, ""),
      ),
    );
  const isToldSince = reading?.asOf != null && reading.asOf >= after.nativeAt;
  if (!isToldSince || !reading.isWhole || reading.unread > 0) return null;
  const near = await store
    .select()
    .from(chainMovement)
    .where(
      and(
        movesAt(place),
        gt(chainMovement.at, new Date(before.nativeAt.getTime() - CLOCKS_DIFFER_MS)),
        lte(chainMovement.at, new Date(after.nativeAt.getTime() + CLOCKS_DIFFER_MS)),
      ),
    );
  const isOpen = near.some((one) => movementState(one) !== "confirmed");
  const isOther = near.some(
    ({ at, hash }) => !sameHash(hash, txHash) && (at <= before.nativeAt || at > after.nativeAt),
  );
  if (isOpen || isOther) return null;
  const fee = derivedFee(before, after, near);
  return fee !== null && sameHash(fee.hash, txHash) ? fee.fee : null;
}

const MAX_FEES = 20;
const DAYS = 7;

/** Of what left lately and has its hash on the chain, once both balances are read. */
export async function deriveFees(store: Db, tenant: string): Promise<void> {
  const isKept = store
    .select({ hash: chainMovement.hash })
    .from(chainMovement)
    .where(
      and(
        eq(chainMovement.tenant, cryptoOrder.tenant),
        eq(chainMovement.walletId, cryptoOrder.walletId),
        eq(hashKey(chainMovement.hash), hashKey(cryptoOrder.txHash)),
      ),
    );
  const rows = await store
    .select()
    .from(cryptoOrder)
    .where(
      and(
        eq(cryptoOrder.tenant, tenant),
        gte(cryptoOrder.orderedAt, sql`clock_timestamp() - interval '1 day' * ${DAYS}`),
        isNotNull(cryptoOrder.heldBefore),
        isNull(cryptoOrder.derivedFee),
        sql`exists (${isKept})`,
      ),
    )
    .orderBy(desc(cryptoOrder.orderedAt))
    .limit(MAX_FEES);
  for (const { intentId, walletId, network, txHash, heldBefore, heldBeforeAt } of rows) {
    if (walletId === null || network === null || txHash === null) continue;
    if (heldBefore === null || heldBeforeAt === null) continue;
    const before = { native: heldBefore, nativeAt: heldBeforeAt };
    const fee = await feeOf(store, { place: { tenant, walletId, network }, txHash, before });
    if (fee === null) continue;
    await store
      .update(cryptoOrder)
      .set({ derivedFee: fee })
      .where(and(eq(cryptoOrder.tenant, tenant), eq(cryptoOrder.intentId, intentId)));
  }
}
