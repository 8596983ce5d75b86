/** Apart from the schema, because the browser reads it. */
const EVENT_STATES = ["WAITING", "DONE", "KEPT", "FOREIGN", "GIVEN_UP"] as const;
export type EventState = (typeof EVENT_STATES)[number];

const WAKES = ["onboarding", "wallets", "kyc", "transfers"] as const;
export type Wake = (typeof WAKES)[number];

export const RECEIVED_VIEWS = ["all", "waiting", "amiss"] as const;
export type ReceivedView = (typeof RECEIVED_VIEWS)[number];

/** The contract's own list would bring zod to the browser. */
export const WEBHOOK_EVENT_NAMES = [
  "onboarding-create",
  "onboarding-biometrics",
  "onboarding-backgroundcheck",
  "crypto-cash-in",
] as const;
