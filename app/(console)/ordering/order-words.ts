/** Whose words an order to the provider is spoken of in; both say the same things by the same keys. */
export type OrderWords = "kycStart" | "accountForm";
