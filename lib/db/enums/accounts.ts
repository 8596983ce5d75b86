export const ACCOUNT_STANDINGS = ["OPEN", "BLOCKED", "CLOSED", "UNTOLD"] as const;
/** What the provider says of an account; UNTOLD when it uses no word that we know. */
export type AccountStanding = (typeof ACCOUNT_STANDINGS)[number];
