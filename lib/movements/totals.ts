import { COINS, isCoin } from "@/lib/contract/coins";
import { tokenKey } from "@/lib/contract/identity";
import type { AssetTotals, Coin, Totals } from "@/lib/db/enums/movements";
import { decimalOf, unitsOf } from "@/lib/text/decimal";

/**
 * `coin`: absent for reais. `amount`: unsigned; null without direction or amount, or when not booked. `isOwn`: its other
 * side is a wallet or an account of the company, too.
 */
export type Counted = { coin?: Coin; moved: { side: "in" | "out"; amount: string } | null; isOwn?: boolean };

export const REAIS = "BRL";

type Sides = { in: bigint; out: bigint };
type Units = Sides & { count: number; unsigned: number; own: Sides | null; coin?: Coin };

/** The network's coin by one name, however it was told. */
const named = (coin: Coin): Coin =>
  coin.asset !== null && isCoin(coin.network, { asset: coin.asset, tokenAddress: coin.token })
    ? { ...coin, asset: COINS[coin.network] }
    : coin;

/** Two tokens of one name are two assets, and so are a coin and what merely looks like its name. */
const keyOf = ({ network, token, asset, isLikely = false }: Coin) =>
  JSON.stringify(
    token === null ? [network, null, asset, ...(isLikely ? ["likely"] : [])] : [network, tokenKey(network, token)],
  );

export const assetKeyOf = (coin: Coin | undefined): string => (coin === undefined ? REAIS : keyOf(named(coin)));

const inDecimals = (sides: Sides) => ({ in: decimalOf(sides.in), out: decimalOf(sides.out) });

const joined = (own: Sides | null, more: AssetTotals["own"]): Sides | null =>
  own === null || more === undefined ? null : { in: own.in + unitsOf(more.in), out: own.out + unitsOf(more.out) };

/** Exact control totals by asset; a coin's by network, too. */
export function controlTotals() {
  const assets = new Map<string, Units>();
  const of = (coin: Coin | undefined): Units => {
    const key = assetKeyOf(coin);
    const none = { count: 0, unsigned: 0, in: 0n, out: 0n, own: { in: 0n, out: 0n } };
    const known = assets.get(key) ?? { ...none, ...(coin && { coin: named(coin) }) };
    assets.set(key, known);
    return known;
  };
  return {
    count({ coin, moved, isOwn = false }: Counted): void {
      const totals = of(coin);
      totals.count += 1;
      if (moved === null) totals.unsigned += 1;
      else {
        totals[moved.side] += unitsOf(moved.amount);
        if (isOwn && totals.own !== null) totals.own[moved.side] += unitsOf(moved.amount);
      }
    },
    join(other: Totals): void {
      for (const one of Object.values(other)) {
        const totals = of(one.coin);
        totals.count += one.count;
        totals.unsigned += one.unsigned;
        totals.in += unitsOf(one.in);
        totals.out += unitsOf(one.out);
        totals.own = joined(totals.own, one.own);
      }
    },
    totals: (): Totals =>
      Object.fromEntries(
        [...assets].map(([key, { own, ...units }]) => [
          key,
          { ...units, ...inDecimals(units), ...(own !== null && { own: inDecimals(own) }) },
        ]),
      ),
  };
}
