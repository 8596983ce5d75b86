import type { CallKind } from "@/lib/db/enums/provider";
import { ERROR_KINDS } from "@/lib/errors/result";

/** Separate from the schemas, because the browser reads it. */
export const CALL_VIEWS = ["all", "failed", "slow"] as const;
export type CallView = (typeof CALL_VIEWS)[number];

/** How a call can end, as people filter it: no answer at all is not an answer of 5xx. */
export const CALL_KINDS = ["ok", "no-answer", ...ERROR_KINDS] as const;

type Ended = { kind: CallKind; status: number | null };

/** No answer at all is told apart from one of 5xx. */
export const outcomeOf = ({ kind, status }: Ended): (typeof CALL_KINDS)[number] =>
  status === null && kind === "unavailable" ? "no-answer" : kind;

export const SLOW_MS = 1_000;

export type OwnToken = {
  state: "none" | "active" | "inactive";
  reason: string;
  clientId: string;
  issuedAt: string;
  expiresAt: string;
  scope: string;
  asOf: string;
};
