import { type ApprovalKindName, type ApprovalState, decidingPermission } from "@/lib/approvals/view";

/** Changes access here: nothing is sent to the provider. */
const isHere = (kind: ApprovalKindName) => decidingPermission(kind) === "staff:manage";

type Standing = { kind: ApprovalKindName; state: ApprovalState };

export function outcomeOf({ kind, state }: Standing, deciderName: string | null) {
  if (isHere(kind) && (state === "EXECUTED" || state === "PENDING")) return `${state}_HERE` as const;
  if (state === "REFUSED" && deciderName === null) return "REFUSED_BY_RULE";
  return state === "EXPIRED" && deciderName !== null ? "EXPIRED_READY" : state;
}

export const doneOf = (kind: ApprovalKindName, state: ApprovalState) =>
  isHere(kind) && state === "EXECUTED" ? "EXECUTED_HERE" : state;
