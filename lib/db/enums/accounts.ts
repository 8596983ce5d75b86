export const ACCOUNT_STANDINGS = ["OPEN", "BLOCKED", "CLOSED", "UNKNOWN"] as const;
/** The provider's account status; UNKNOWN when its word is unknown to us. */
export type AccountStanding = (typeof ACCOUNT_STANDINGS)[number];
