export const MOVEMENT_FORMATS = ["csv", "ofx"] as const;
export type MovementFormat = (typeof MOVEMENT_FORMATS)[number];

export type MovementState = "WAITING" | "RUNNING" | "READY" | "STOPPED";

/** Whose entries are read; those of wallets join here. */
export const SOURCE_KINDS = ["account"] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** Exact decimal strings. `unsigned`: entries of which it is not known which way they went, or how much. */
export type AssetTotals = { count: number; in: string; out: string; unsigned: number };
export type Totals = Readonly<Record<string, AssetTotals>>;

export const KEPT_DAYS = 30;
