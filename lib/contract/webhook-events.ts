export const WEBHOOK_EVENTS = [
  "onboarding-create",
  "onboarding-biometrics",
  "onboarding-backgroundcheck",
  "crypto-cash-in",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
