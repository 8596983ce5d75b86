/** `address`: a deposit address, which the provider makes with a wallet that sweeps. */
export type WalletRequestKind = "wallet" | "address";

/** What a wallet is for: the company's own, one customer's, deposits of a checkout, anything else. */
export const WALLET_USES = ["own", "customer", "checkout", "other"] as const;
export type WalletUse = (typeof WALLET_USES)[number];
