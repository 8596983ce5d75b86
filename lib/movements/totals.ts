import { COINS, isCoin } from "@/lib/contract/coins";
import { tokenKey } from "@/lib/contract/identity";
import type { Coin, Totals } from "@/lib/db/enums/movements";
import { decimalOf, unitsOf } from "@/lib/text/decimal";

/** `coin`: absent for reais. `amount`: unsigned; null without direction or amount, or when not booked. */
export type Counted = { coin?: Coin; moved: { side: "in" | "out"; amount: string } | null };

export const REAIS = "BRL";

type Units = { count: number; unsigned: number; in: bigint; out: bigint; coin?: Coin };

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

/** Exact control totals by asset; a coin's by network, too. */
export function controlTotals() {
  const assets = new Map<string, Units>();
  const of = (coin: Coin | undefined): Units => {
    const key = assetKeyOf(coin);
    const known = assets.get(key) ?? { count: 0, unsigned: 0, in: 0n, out: 0n, ...(coin && { coin: named(coin) }) };
    assets.set(key, known);
    return known;
  };
  return {
    count({ coin, moved }: Counted): void {
      const totals = of(coin);
      totals.count += 1;
      if (moved === null) totals.unsigned += 1;
      else totals[moved.side] += unitsOf(moved.amount);
    },
    join(other: Totals): void {
      for (const one of Object.values(other)) {
        const totals = of(one.coin);
        totals.count += one.count;
        totals.unsigned += one.unsigned;
        totals.in += unitsOf(one.in);
        totals.out += unitsOf(one.out);
      }
    },
    totals: (): Totals =>
      Object.fromEntries(
        [...assets].map(([key, units]) => [key, { ...units, in: decimalOf(units.in), out: decimalOf(units.out) }]),
      ),
  };
}
