const CASEWORK_KINDS = ["kyc", "onboarding", "account"] as const;
export type CaseworkObject = `${(typeof CASEWORK_KINDS)[number]}:${string}`;
