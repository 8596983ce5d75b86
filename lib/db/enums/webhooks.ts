/** Separate from the schema, because the browser reads it. */
const EVENT_STATES = ["WAITING", "DONE", "KEPT", "FOREIGN", "GIVEN_UP"] as const;
export type EventState = (typeof EVENT_STATES)[number];

const WAKES = ["onboarding", "wallets", "kyc", "transfers"] as const;
export type Wake = (typeof WAKES)[number];
