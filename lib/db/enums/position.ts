/** `untold`: a wallet of unknown use; `account`: not the company's own, as far as its settings tell. */
export const POSITION_KINDS = ["account", "own-account", "own", "customer", "checkout", "other", "untold"] as const;
export type PositionKind = (typeof POSITION_KINDS)[number];

export const isInReais = (kind: PositionKind): boolean => kind === "account" || kind === "own-account";

export const POSITION_PARTS = ["available", "blocked"] as const;
export type PositionPart = (typeof POSITION_PARTS)[number];

/** `network` and `token` are empty for reais, `token` also for a native coin. */
export type SumKey = { network: string; asset: string; token: string; kind: PositionKind; part: PositionPart };

/** `amount`: null when unreadable. */
export type Figure = Pick<SumKey, "asset" | "token" | "part"> & { amount: string | null };

/** How long a sum's parts are kept; the sum itself stays. */
export const PARTS_DAYS = 366;
