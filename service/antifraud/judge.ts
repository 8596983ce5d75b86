import { toUnits } from "@/service/ledger/amount";

/** From which amounts on, as decimal strings in whole units of the asset, a transfer is held or blocked. */
export type Thresholds = { holdFrom: string; blockFrom: string };
export type Verdict = "pass" | "hold" | "block";

function reaches(units: bigint, threshold: string, decimals: number): boolean {
  const limit = toUnits(threshold, decimals);
  if (limit === null) throw new RangeError(`the threshold ${threshold} has more than ${decimals} decimals`);
  return units >= limit;
}

/** What antifraud says of an amount in base units of an asset with so many decimals (our assumption). */
export function judge({ holdFrom, blockFrom }: Thresholds, units: bigint, decimals: number): Verdict {
  if (reaches(units, blockFrom, decimals)) return "block";
  return reaches(units, holdFrom, decimals) ? "hold" : "pass";
}
