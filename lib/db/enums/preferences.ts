export const VIEW_AREAS = ["kyc", "onboarding", "accounts", "transfers", "wallets"] as const;
export type ViewArea = (typeof VIEW_AREAS)[number];
