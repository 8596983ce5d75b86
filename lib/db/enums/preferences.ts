export const VIEW_AREAS = [
  "kyc",
  "onboarding",
  "accounts",
  "transfers",
  "wallets",
  "coins",
  "deposits",
  "movements",
] as const;
export type ViewArea = (typeof VIEW_AREAS)[number];
