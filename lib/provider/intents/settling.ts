import type { Db, Tx } from "@/lib/db/connection";
import type { Actor } from "@/lib/permission/grant";
import type { SafeLink } from "@/lib/text/safe-link";
import type { Intent } from "./intent-record";

/** It holds no document in clear. */
export type OutcomeSubject = {
  subject: string | null;
  /** It is in reais with two decimals, and null otherwise. */
  amount: string | null;
  /** The money or the coins go there, as far as it is known, people masked; what moves neither has none. */
  destination?: string | null;
  coins?: { amount: string; asset: string } | null;
  /** The chain shows these, which may be its effect; they are absent where nothing is looked for. */
  candidates?: readonly { id: string; at: string; link: SafeLink | null }[];
  href: string | null;
};

/** How a person says what became of a write whose answer was lost. */
export type Settling = {
  /** A second person agrees to what is said of it: money moves, or an account closes. */
  needsSecond: boolean;
  describe: (store: Db | Tx, intent: Intent) => Promise<OutcomeSubject>;
  candidatesOf?: (tx: Tx, intent: Intent) => Promise<string[]>;
  /** Nobody may say that it did not happen while a candidate is not ruled out. */
  isRuledOutFirst?: boolean;
  /** How a person names its effect by an id of the provider's or the chain's. */
  proof?: {
    /** Throws conflict where it cannot be that. */
    refuse: (store: Db | Tx, intent: Intent, id: string) => Promise<void>;
    keep: (tx: Tx, intent: Intent, id: string) => Promise<void>;
  };
  /** Reads what candidates are found in, before somebody says that it did not happen. */
  look?: (actor: Actor, intent: Intent) => Promise<void>;
};
