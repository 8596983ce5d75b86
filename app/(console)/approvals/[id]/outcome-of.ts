import { type ApprovalKindName, type ApprovalState, decidingPermission } from "@/lib/approvals/view";

/** Whether it changes nothing but who may do what here: there is no provider to send it to. */
const isHere = (kind: ApprovalKindName) => decidingPermission(kind) === "staff:manage";

type Standing = { kind: ApprovalKindName; state: ApprovalState };

/** Which sentence says how a proposal stands: one ends by a rule or by its time with or without somebody's decision. */
export function outcomeOf({ kind, state }: Standing, deciderName: string | null) {
  if (isHere(kind) && (state === "EXECUTED" || state === "PENDING")) return `${state}_HERE` as const;
  if (state === "REFUSED" && deciderName === null) return "REFUSED_BY_RULE";
  return state === "EXPIRED" && deciderName !== null ? "EXPIRED_READY" : state;
}

/** Which sentence says to whoever pressed the button what came of it. */
export const doneOf = (kind: ApprovalKindName, state: ApprovalState) =>
  isHere(kind) && state === "EXECUTED" ? "EXECUTED_HERE" : state;
