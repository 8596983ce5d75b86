/** What becomes of a suspicion of money laundering; the last two end it. */
export const SUSPICION_STATES = ["suspected", "analysing", "to-report", "reported", "dismissed"] as const;
export type SuspicionState = (typeof SUSPICION_STATES)[number];

/** Circular 3.978 of the Banco Central: from the operation to its selection, and from there to the end of the analysis. */
export const SELECTION_DAYS = 45;
export const ANALYSIS_DAYS = 45;
