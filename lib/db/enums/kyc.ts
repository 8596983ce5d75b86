/** The most hours for a deadline, and for how long before it a case is due soon. */
export const DEADLINE_HOURS_MAX = 24 * 90;

/** The most open cases that the rules may assign to one person by themselves. */
export const OPEN_CASES_MAX = 500;

export const CASE_EVENT_KINDS = [
  /** First seen; detail: status, process. */
  "seen",
  /** The provider moved it; detail: from, to, process. */
  "moved",
  /** Another process of a known case was listed; detail: status, process. */
  "record-seen",
  /** detail: process, status, other. */
  "contradicted",
  "agreed",
  "started",
  "claimed",
  "released",
  /** detail: to (staff id). */
  "assigned",
  /** By the rule, in turn; detail: to (staff id). */
  "shared",
  /** detail: from (staff id). */
  "taken-over",
  /** detail: tag. */
  "tagged",
  "untagged",
  /** detail: noteId. */
  "noted",
  "note-retracted",
  /** detail: fileId. */
  "file-added",
  "file-removed",
  /** A decision was sent; detail: intentId, decision. */
  "decided",
  /** A decision did not take effect; detail: intentId, decision, state. */
  "decision-refused",
  "decision-unknown",
  /** detail: dossierId. */
  "dossier-sealed",
  /** detail: link (the page's key). */
  "link-shown",
  "link-copied",
  /** detail: until. */
  "put-off",
  /** detail: ending. */
  "put-off-ended",
  /** Handed to the second level. */
  "escalated",
  "escalation-taken",
  "escalation-answered",
  /** detail: ending. */
  "escalation-ended",
] as const;
export type CaseEventKind = (typeof CASE_EVENT_KINDS)[number];

/** What the hours of a deadline are: of the clock, or of work. */
export const SLA_CLOCKS = ["continuous", "business"] as const;
export type SlaClock = (typeof SLA_CLOCKS)[number];
/** Its time came, the provider told something new, a person brought it back or put it off anew, or it was decided. */
export const PUT_OFF_ENDINGS = ["time", "news", "back", "again", "decided"] as const;
export type PutOffEnding = (typeof PUT_OFF_ENDINGS)[number];

export const ESCALATION_ENDINGS = ["answered", "withdrawn", "decided"] as const;
export type EscalationEnding = (typeof ESCALATION_ENDINGS)[number];

/** Politically exposed; `perhaps`: only the masked document is that of such a person. */
export const EXPOSURES = ["yes", "perhaps", "no", "unknown"] as const;
export type Exposure = (typeof EXPOSURES)[number];
