import { ERROR_KINDS } from "@/lib/errors/result";

/** Separate from the schemas, because the browser reads it. */
export const CALL_VIEWS = ["all", "failed", "slow"] as const;

export const CALL_KINDS = ["ok", ...ERROR_KINDS] as const;

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
