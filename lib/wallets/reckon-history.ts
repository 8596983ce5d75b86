import { assetKey, transactionKey } from "@/lib/contract/identity";
import { COINS } from "@/lib/contract/coins";
import type { Network } from "@/lib/contract/crypto";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { isDecimal } from "@/lib/text/format";
import { movementState } from "./chain-state";
import type { AssetBalance } from "./holdings";
import { highestOf } from "./paid-fees";
import type { MovementRow } from "./walk-history";
import { type HistoryGap, movedAsset, movementDirection } from "./view";

const NEAR_MS = 2 * 60_000;

type Told = { network: Network; hasNoToken: boolean; balances: readonly AssetBalance[]; balancesAt: Date };

type Sum = { asset: string; units: bigint };

const feeOf = (rows: readonly MovementRow[]): string | null =>
  highestOf(rows.flatMap(({ toldFee }) => toldFee ?? [])) ??
  highestOf(rows.flatMap(({ derivedFee }) => derivedFee ?? []));

/** Null where a movement is not understood, not final or too near the reading of the balances to say on which side it is. */
function sumsOf(rows: readonly MovementRow[], { network, hasNoToken, balancesAt }: Told): Map<string, Sum> | null {
  const sums = new Map<string, Sum>();
  const add = (asset: string, tokenAddress: string | null, units: bigint) => {
    const key = assetKey(network, { asset, tokenAddress });
    sums.set(key, { asset, units: (sums.get(key)?.units ?? 0n) + units });
  };
  const sent = new Map<string, MovementRow[]>();
  for (const row of rows) {
    const state = movementState(row);
    if (state === "dropped") continue;
    const direction = movementDirection(row.subtype);
    const { asset, basis } = movedAsset(row, hasNoToken);
    const isNear = Math.abs(row.at.getTime() - balancesAt.getTime()) < NEAR_MS;
    const isTold = basis === "told" || basis === "only";
    if (state !== "confirmed" || direction === null || !isTold || !isDecimal(row.amount) || isNear) return null;
    if (row.at > balancesAt) continue;
    const units = unitsOf(row.amount);
    add(asset ?? "", row.tokenAddress, direction === "in" ? units : -units);
    if (direction === "in") continue;
    const key = transactionKey(network, row.hash);
    sent.set(key, [...(sent.get(key) ?? []), row]);
  }
  const fees = [...sent.values()].map(feeOf);
  // Without one of its fees, what a wallet holds of its network's coin is not known by its history.
  if (fees.includes(null)) return null;
  for (const fee of fees) add(COINS[network], null, -unitsOf(fee ?? "0"));
  return sums;
}

/**
 * Where all movements of a wallet on a network, of which none is left out, add up to another amount than its balance told then.
 * `moved`: read after the balances.
 */
export function reckonHistory(moved: readonly MovementRow[], told: Told): HistoryGap[] {
  const sums = sumsOf(moved, told);
  if (sums === null) return [];
  const held = new Map<string, AssetBalance>();
  for (const balance of told.balances) {
    const key = assetKey(told.network, balance);
    if (held.has(key) || balance.doubt !== null || !isDecimal(balance.balance)) return [];
    held.set(key, balance);
  }
  return [...sums].flatMap(([key, { asset, units }]): HistoryGap[] => {
    const balance = held.get(key);
    const difference = unitsOf(balance?.balance ?? "0") - units;
    if (difference === 0n) return [];
    return [{ asset: balance?.asset ?? asset, sum: decimalOf(units), difference: decimalOf(difference) }];
  });
}
