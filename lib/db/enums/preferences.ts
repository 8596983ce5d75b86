export const VIEW_AREAS = ["kyc", "onboarding", "accounts", "transfers", "wallets", "coins"] as const;
export type ViewArea = (typeof VIEW_AREAS)[number];
