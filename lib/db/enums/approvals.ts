/** PENDING: for a second person; READY: for its maker; AUTHORISED: executing; HELD: with the provider's analyst. */
export const APPROVAL_STATES = [
  "PENDING",
  "READY",
  "AUTHORISED",
  "EXECUTED",
  "HELD",
  "FAILED",
  "UNKNOWN",
  "REFUSED",
  "WITHDRAWN",
  "EXPIRED",
] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];
