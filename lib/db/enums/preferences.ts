export const VIEW_AREAS = [
  "kyc",
  "onboarding",
  "accounts",
  "transfers",
  "wallets",
  "coins",
  "deposits",
  "movements",
  "approvals",
  "webhooks",
  "calls",
  "audit",
] as const;
export type ViewArea = (typeof VIEW_AREAS)[number];
