import type { Network } from "@/lib/contract/crypto";
import { assetKey } from "@/lib/contract/identity";
import type { Attributed, Share } from "./attribute";
import { mayBeCoin } from "./view";
import type { MovementRow, ToldAsset } from "./walk-history";

const isUntold = ({ tokenAddress, asset }: ToldAsset) => tokenAddress === null && asset === null;

const isWord = (row: MovementRow) => row.tokenAddress === null && !mayBeCoin(row);

/** A word alone is also that of a token whose query returned it before. */
function isOf(network: Network, { key, by }: Share, { tokenAddress, asset }: MovementRow): boolean {
  const isKey = (contract: string | null) => assetKey(network, { asset: asset ?? "", tokenAddress: contract }) === key;
  return (tokenAddress !== null || asset !== null) && (isKey(tokenAddress) || (by === "word" && isKey(null)));
}

/** Which rows have what is told already, and which shares have none yet, each as often as it is missing. */
function matchRows(network: Network, shares: readonly Share[], rows: readonly MovementRow[]) {
  const matched = new Map<MovementRow, Share>();
  const open: Share[] = [];
  for (const share of shares)
    for (let nth = 0; nth < share.times; nth += 1) {
      const row = rows.find((one) => !matched.has(one) && isOf(network, share, one));
      if (row === undefined) open.push(share);
      else matched.set(row, share);
    }
  return { matched, open };
}

const isStanding = ({ droppedAt }: MovementRow) => droppedAt === null;

/** One movement's rows, those that stand before those that were dropped, and of either those that are told first. */
export function rankRows(network: Network, { shares }: Attributed, rows: readonly MovementRow[]): MovementRow[] {
  const ranked = rows.toSorted((one, other) => Number(isStanding(other)) - Number(isStanding(one)));
  const { matched } = matchRows(network, shares, ranked);
  return ranked.toSorted(
    (one, other) =>
      Number(isStanding(other)) - Number(isStanding(one)) || Number(matched.has(other)) - Number(matched.has(one)),
  );
}

/** `missing`: null of what exists and is not told. */
export type RowPlan = { renamed: Map<MovementRow, ToldAsset>; missing: (ToldAsset | null)[] };

/** Untold rows take what is told, then those of a mere word, then, where all rows are told already, what the entry now says otherwise. */
export function planRows(
  network: Network,
  { shares, total, inAll }: Attributed,
  rows: readonly MovementRow[],
): RowPlan {
  const { matched, open } = matchRows(network, shares, rows);
  const renamed = new Map<MovementRow, ToldAsset>();
  for (const [row, { asset }] of matched)
    if (row.asset === null && asset !== null) renamed.set(row, { tokenAddress: row.tokenAddress, asset });
  const missing: (ToldAsset | null)[] = [];
  const spare = new Set(rows.filter((row) => !matched.has(row)));
  for (const { tokenAddress, asset, by } of open) {
    const left = [...spare];
    const isFull = inAll > 0 && rows.length + missing.length >= total;
    const row =
      left.find(isUntold) ??
      (by === "query" ? left.find(isWord) : undefined) ??
      (by === "entry" && isFull ? left[0] : undefined);
    const isOtherwise = by === "word" || (by === "query" && left.some((one) => one.tokenAddress === null));
    if (row !== undefined) {
      spare.delete(row);
      renamed.set(row, { tokenAddress, asset });
    } else if (!isFull || !isOtherwise) missing.push({ tokenAddress, asset });
  }
  while (rows.length + missing.length < total) missing.push(null);
  return { renamed, missing };
}
