/** What people are told of once it begins, and once it is over. */
export const INCIDENT_KINDS = [
  "provider-silent",
  "token-refused",
  "budget-spent",
  "watch-stalled",
  "audit-head-old",
  "signatures-wrong",
  "writes-unknown",
  "certificate-ends",
  "database-silent",
  "events-lost",
  "answers-changed",
  "review-late",
] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

/** From its end. */
export const INCIDENT_DAYS = 30;
