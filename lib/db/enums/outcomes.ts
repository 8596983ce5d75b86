export const OUTCOMES = ["HAPPENED", "NOT_HAPPENED"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const EVIDENCE_SOURCES = ["provider-panel", "provider-support", "statement", "holder", "other"] as const;
export type EvidenceSource = (typeof EVIDENCE_SOURCES)[number];
