import { and, eq, inArray, isNull, ne, or, sql } from "drizzle-orm";
import type { Network } from "@/lib/contract/crypto";
import { tokenKey } from "@/lib/contract/identity";
import type { Db, Tx } from "@/lib/db/connection";
import { providerIntent } from "@/lib/db/tables/provider";
import { chainMovement, cryptoOrder, hashKey } from "@/lib/db/tables/wallets";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { isDecimal } from "@/lib/text/format";

type Place = { tenant: string; walletId: string; network: Network };

type Leaving = Place & { token: string; asOf: string | null; exceptIntent: string | null };

type Sum = { sum: string; count: number };

export type LeftSince = { left: Sum | null; held: Sum | null };

const ofPlace = ({ tenant, walletId, network }: Place) =>
  and(eq(cryptoOrder.tenant, tenant), eq(cryptoOrder.walletId, walletId), eq(cryptoOrder.network, network));

const toldFee = sql<string | null>`(select max(${chainMovement.toldFee}) from ${chainMovement}
  where ${chainMovement.tenant} = ${cryptoOrder.tenant} and ${chainMovement.walletId} = ${cryptoOrder.walletId}
    and ${chainMovement.network} = ${cryptoOrder.network} and ${isNull(chainMovement.droppedAt)}
    and ${hashKey(chainMovement.hash)} = ${hashKey(cryptoOrder.txHash)})`;

const sumOf = (amounts: readonly string[], fees: readonly string[]): Sum | null =>
  amounts.length + fees.length === 0
    ? null
    : {
        sum: decimalOf([...amounts, ...fees].reduce((sum, one) => sum + unitsOf(one), 0n)),
        count: Math.max(amounts.length, fees.length),
      };

/** What our own sends take off a balance that was read before them, by the store's clock. */
export async function readLeftSince(
  store: Db | Tx,
  { token, asOf, exceptIntent, ...place }: Leaving,
): Promise<LeftSince> {
  const rows = await store
    .select({
      state: providerIntent.state,
      token: cryptoOrder.token,
      amount: cryptoOrder.amount,
      fee: sql<string | null>`coalesce(${cryptoOrder.derivedFee}, ${toldFee})`,
      isSince: sql<boolean>`coalesce(${providerIntent.createdAt} > ${asOf}::timestamptz, false)`,
    })
    .from(cryptoOrder)
    .innerJoin(providerIntent, ofIntent(cryptoOrder))
    .where(
      and(
        ofPlace(place),
        ne(providerIntent.state, "REFUSED"),
        exceptIntent === null ? undefined : ne(cryptoOrder.intentId, exceptIntent),
        or(inArray(providerIntent.state, ["HELD", "UNKNOWN"]), sql`${providerIntent.createdAt} > ${asOf}::timestamptz`),
      ),
    );
  const key = (of: string | null) => tokenKey(place.network, of ?? "");
  const isAsset = (row: (typeof rows)[number]) => key(row.token) === key(token);
  const amounts = (which: typeof rows) =>
    which.flatMap(({ amount }) => (amount !== null && isDecimal(amount) ? [amount] : []));
  // One that is held leaves the balance at once at some providers: what is held since the reading counts as gone.
  const gone = rows.filter(({ isSince }) => isSince);
  const fees = token === "" ? gone.flatMap(({ fee }) => (fee !== null && isDecimal(fee) ? [fee] : [])) : [];
  return {
    left: sumOf(amounts(gone.filter(isAsset)), fees),
    held: sumOf(amounts(rows.filter((row) => !row.isSince && isAsset(row))), []),
  };
}

/** One that was in flight during the reading may be missing from it. */
export async function hasMovedSince(store: Db, place: Place, asOf: Date): Promise<boolean> {
  const movedAt = sql`greatest(${providerIntent.createdAt}, ${providerIntent.finishedAt})`;
  const [moved] = await store
    .select({ intentId: cryptoOrder.intentId })
    .from(cryptoOrder)
    .innerJoin(providerIntent, ofIntent(cryptoOrder))
    .where(
      and(
        ofPlace(place),
        inArray(providerIntent.state, ["SENDING", "HELD", "DONE", "UNKNOWN"]),
        sql`${movedAt} > ${asOf.toISOString()}::timestamptz`,
      ),
    )
    .limit(1);
  return moved !== undefined;
}
