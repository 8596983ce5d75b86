/** Separate from the schema, because the browser reads it. */
const EVENT_STATES = ["WAITING", "DONE", "KEPT", "FOREIGN", "GIVEN_UP"] as const;
export type EventState = (typeof EVENT_STATES)[number];

const WAKES = ["onboarding", "wallets", "kyc", "transfers"] as const;
export type Wake = (typeof WAKES)[number];

/** What the console saw of an object, and the interface has an event for. */
export const OBSERVED_CHANGES = ["accepted", "confirmed", "refused", "link", "deposit"] as const;
export type ObservedChange = (typeof OBSERVED_CHANGES)[number];

const EXPECTED_STATES = ["EXPECTED", "ARRIVED", "NEVER"] as const;
export type ExpectedState = (typeof EXPECTED_STATES)[number];
