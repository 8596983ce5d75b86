import type { OutcomeName, Outcome } from "@/lib/db/enums/unconfirmed";

export const REFERENCE_MAX = 120;
export const REASON_MAX = 500;

export type UnknownOutcome = {
  intentId: string;
  name: OutcomeName;
  subject: string | null;
  /** Reais with two decimals; null otherwise. */
  amount: string | null;
  /** Where the money or the coins go, as far as it is known; people masked. Null for what moves neither. */
  destination: string | null;
  coins: { amount: string; asset: string } | null;
  href: string | null;
  byName: string;
  at: string;
  /** `asking`: the provider is asked again; `open`: a person must say. */
  state: "asking" | "open";
  /** The provider's own, of what it took and neither confirmed nor refused; null where no answer came. */
  word: string | null;
  contradicted: { outcome: Outcome; byName: string; at: string } | null;
  approvalId: string | null;
  needsApproval: boolean;
};
