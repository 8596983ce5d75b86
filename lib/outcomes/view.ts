import type { OutcomeName } from "@/lib/permission/writes";
import type { Outcome } from "@/lib/db/enums/outcomes";
import type { Told } from "@/lib/errors/result";
import type { OutcomeSubject } from "@/lib/provider/intents/settling";

export const REFERENCE_MAX = 120;
export const REASON_MAX = 500;

export type RefusedWrite = Required<Omit<OutcomeSubject, "candidates">> & {
  intentId: string;
  name: OutcomeName;
  byName: string;
  at: string;
  told: Told;
  /** The request behind it, when the reader may open it. */
  requestId: string | null;
};

export type UnknownOutcome = Required<OutcomeSubject> & {
  intentId: string;
  name: OutcomeName;
  byName: string;
  at: string;
  /** `asking`: the provider is still asked; `open`: a person must settle it. */
  state: "asking" | "open";
  /** The provider's word when it neither confirmed nor refused; null without an answer. */
  word: string | null;
  contradicted: { outcome: Outcome; byName: string; at: string } | null;
  requestId: string | null;
  approvalId: string | null;
  needsApproval: boolean;
};

/** How many are being sent now, and how many the provider's analyst holds in time. */
export type UnderWay = { sending: number; heldReais: number; heldCoins: number };

export const isAnyUnderWay = ({ sending, heldReais, heldCoins }: UnderWay): boolean =>
  sending + heldReais + heldCoins > 0;

/** The list of held crypto transfers. */
export const HELD_COINS = "/coins?view=open&state=HELD";
