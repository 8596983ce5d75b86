/** What is kept for a while, by class. */
export const RETENTION_CLASS_NAMES = [
  "calls",
  "webhooks",
  "open-pages",
  "drafts",
  "sessions",
  "order-bodies",
  "onboardings",
  "kyc",
  "casework",
  "reveals",
  "approvals",
  "audit",
] as const;
export type RetentionClassName = (typeof RETENTION_CLASS_NAMES)[number];
