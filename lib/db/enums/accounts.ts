export const ACCOUNT_STANDINGS = ["OPEN", "BLOCKED", "CLOSED", "UNKNOWN"] as const;
/** What the provider says of an account; UNKNOWN when it uses no word that we know. */
export type AccountStanding = (typeof ACCOUNT_STANDINGS)[number];
