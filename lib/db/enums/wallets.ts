/** `address`: a deposit address, which the provider makes with a forwarding wallet. */
export type WalletRequestKind = "wallet" | "address";

/** A wallet's use: the company's own, one customer's, deposits of a checkout, other. */
export const WALLET_USES = ["own", "customer", "checkout", "other"] as const;
export type WalletUse = (typeof WALLET_USES)[number];

/** WAITING: for a second person; BLOCKED: by the provider's antifraud; REJECTED: by that person; NOT_SENT: withdrawn, expired, stopped here, or said by a person. */
export const SEND_STATES = [
  "WAITING",
  "SENDING",
  "HELD",
  "UNKNOWN",
  "DONE",
  "BLOCKED",
  "REFUSED",
  "REJECTED",
  "NOT_SENT",
] as const;
export type SendState = (typeof SEND_STATES)[number];
