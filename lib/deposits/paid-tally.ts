import type { Network } from "@/lib/contract/crypto";
import { tokenKey } from "@/lib/contract/identity";
import type { DepositStage } from "@/lib/db/enums/deposits";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { isDecimal } from "@/lib/text/format";
import type { PaidSum } from "./paid-view";

type Counted = { amount: string; asset: string | null; token: string | null; network: Network | null };

const THERE: ReadonlySet<DepositStage | null> = new Set<DepositStage>(["confirmed", "swept", "summed"]);

export const isThere = ({ stage }: { stage: DepositStage | null }): boolean => THERE.has(stage);

const wordOf = ({ asset }: Pick<Counted, "asset">) => asset?.toLowerCase() ?? "";

function keyOf({ network, token, asset }: Counted): string {
  const contract = token === null || network === null ? (token ?? "") : tokenKey(network, token);
  return JSON.stringify([network, contract, wordOf({ asset })]);
}

/** Of each asset on each network, which is named where two are called alike; no number, or no known asset, stands alone. */
export function sumsOf(arrived: readonly Counted[]): PaidSum[] {
  const sums = new Map<string, Counted>();
  for (const [nth, one] of arrived.entries()) {
    const isSummed = isDecimal(one.amount) && (one.asset !== null || one.token !== null);
    const key = isSummed ? keyOf(one) : String(nth);
    const before = sums.get(key);
    const amount = before === undefined ? one.amount : decimalOf(unitsOf(before.amount) + unitsOf(one.amount));
    sums.set(key, { ...one, amount });
  }
  const all = [...sums.values()];
  const times = (one: Counted) => all.filter((other) => wordOf(other) === wordOf(one)).length;
  return all.map((one) => ({ amount: one.amount, asset: one.asset, network: times(one) > 1 ? one.network : null }));
}
