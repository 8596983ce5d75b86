/** Message namespaces with the same keys. */
export type OrderWords = "kycStart" | "accountForm";

/** Those that also name what is like an order. */
export type LikenessWords = OrderWords | "transferForm";
