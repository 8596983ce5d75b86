import { transactionKey } from "@/lib/contract/identity";
import { unitsOf } from "@/lib/text/decimal";
import type { MovementRow } from "./walk-history";

/** Of decimals without a sign: a transaction has one fee, and what is less is a part of it or cut. Null of none. */
export const highestOf = (fees: readonly string[]): string | null =>
  fees.toSorted((one, other) => Number(unitsOf(other) > unitsOf(one)) - Number(unitsOf(one) > unitsOf(other)))[0] ??
  null;

type Paying = Pick<MovementRow, "walletId" | "network" | "hash" | "toldFee" | "derivedFee">;

/** What these rows' transactions cost, once each, at one of their rows: as told, else as derived. */
export function paidFees<Row extends Paying>(rows: readonly Row[]): Map<Row, string> {
  const byTransaction = new Map<string, Row[]>();
  for (const row of rows) {
    const { walletId, network, hash } = row;
    if (row.toldFee === null && row.derivedFee === null) continue;
    const key = JSON.stringify([walletId, network, transactionKey(network, hash)]);
    byTransaction.set(key, [...(byTransaction.get(key) ?? []), row]);
  }
  const paid = new Map<Row, string>();
  for (const same of byTransaction.values()) {
    const told = highestOf(same.flatMap(({ toldFee }) => toldFee ?? []));
    const [first] = same;
    if (told !== null && first !== undefined) paid.set(first, told);
    else for (const row of same) if (row.derivedFee !== null) paid.set(row, row.derivedFee);
  }
  return paid;
}
