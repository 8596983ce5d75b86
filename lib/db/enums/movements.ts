import type { Network } from "@/lib/contract/crypto";

export const MOVEMENT_FORMATS = ["csv", "ofx"] as const;
export type MovementFormat = (typeof MOVEMENT_FORMATS)[number];

export const OPEN_STATES = ["WAITING", "RUNNING"] as const;

/** TOO_LARGE: more than one zip holds. FAILED: the file could not be made. */
export type MovementState = (typeof OPEN_STATES)[number] | "READY" | "STOPPED" | "TOO_LARGE" | "FAILED";

export const MOVEMENT_SCOPES = ["all", "accounts", "wallets", "chosen"] as const;
export type MovementScope = (typeof MOVEMENT_SCOPES)[number];

/** A wallet is read network by network. */
export const SOURCE_KINDS = ["account", "wallet"] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** `token` null: no token's query found it; then `asset` null: unknown, `isLikely`: the coin, as no token is known. */
export type Coin = { network: Network; asset: string | null; token: string | null; isLikely?: boolean };

/**
 * Exact decimal strings. `unsigned`: entries without a known direction or amount. `coin`: absent for reais. `notWhole`:
 * sources that may lack entries; absent: none. `own`: what of `in` and `out` moved between two wallets or accounts of the
 * company; absent: the file was made before this was told.
 */
export type AssetTotals = {
  count: number;
  in: string;
  out: string;
  own?: { in: string; out: string };
  unsigned: number;
  coin?: Coin;
  notWhole?: number;
};
export type Totals = Readonly<Record<string, AssetTotals>>;

export const KEPT_DAYS = 30;
