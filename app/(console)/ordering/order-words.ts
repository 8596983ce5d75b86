/** Message namespaces with the same keys. */
export type OrderWords = "kycStart" | "accountForm";
