import type { ApprovalState } from "@/lib/approval-terms";

/** Which sentence says how a proposal stands: one ends by a rule or by its time with or without somebody's decision. */
export function outcomeOf(state: ApprovalState, deciderName: string | null) {
  if (state === "REFUSED" && deciderName === null) return "REFUSED_BY_RULE";
  return state === "EXPIRED" && deciderName !== null ? "EXPIRED_READY" : state;
}
