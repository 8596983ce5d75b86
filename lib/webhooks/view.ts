export const RECEIVED_VIEWS = ["all", "waiting", "amiss"] as const;
export type ReceivedView = (typeof RECEIVED_VIEWS)[number];

/** The contract's own list would bring zod to the browser. */
export const WEBHOOK_EVENT_NAMES = [
  "onboarding-create",
  "onboarding-biometrics",
  "onboarding-backgroundcheck",
  "crypto-cash-in",
] as const;
