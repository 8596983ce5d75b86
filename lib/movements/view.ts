import type { AssetTotals, MovementFormat, MovementState, Totals } from "@/lib/db/enums/movements";

/** A wallet on a network; `asOf` null: never read. */
export type HistoryAge = { label: string; asOf: string | null };

/**
 * `wallets`: the number of histories; `histories`: the oldest readings among them; `neverRead`: those without a
 * reading. `unknown`: typed text that matches nothing.
 */
export type MovementPlan = {
  accounts: number;
  wallets: number;
  neverRead: number;
  histories: HistoryAge[];
  calls: number;
  minutes: number;
  unknown: string[];
};

export type MovementExportRow = {
  id: string;
  format: MovementFormat;
  from: string;
  to: string;
  state: MovementState;
  byName: string;
  createdAt: string;
  finishedAt: string | null;
  expiresAt: string | null;
  accounts: number;
  read: number;
  /** Wallet histories, and how many of them were read. */
  wallets: number;
  walletsRead: number;
  /** Read, but they may lack entries. */
  notWhole: number;
  unread: string[];
  plannedCalls: number;
  plannedMinutes: number;
  totals: Totals | null;
  sha256: string | null;
  sizeBytes: number | null;
};

const placeOf = ({ coin }: AssetTotals): string =>
  coin === undefined ? "" : `${coin.network} ${coin.token === null ? 1 : 0} ${coin.asset ?? ""} ${coin.token ?? ""}`;

/** Reais, then network by network; an unknown asset at its network's end. */
export const listTotals = (totals: Totals): [string, AssetTotals][] =>
  Object.entries(totals).toSorted(([, one], [, other]) => (placeOf(one) < placeOf(other) ? -1 : 1));
