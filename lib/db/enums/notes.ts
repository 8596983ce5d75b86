const NOTED_KINDS = ["kyc", "onboarding", "account"] as const;
export type NotedObject = `${(typeof NOTED_KINDS)[number]}:${string}`;
