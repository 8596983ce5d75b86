import type { Db, Tx } from "@/lib/db/connection";
import type { Actor } from "@/lib/permission/grant";
import type { SafeLink } from "@/lib/text/safe-link";
import type { Intent } from "./intent-record";

/** Contains no document in clear. */
export type OutcomeSubject = {
  subject: string | null;
  /** Reais with two decimals; null for anything else. */
  amount: string | null;
  /** Where the money or coins go, as far as known, with people masked; absent for other writes. */
  destination?: string | null;
  coins?: { amount: string; asset: string } | null;
  /** Chain movements that may be its effect; absent when none are searched. */
  candidates?: readonly { id: string; at: string; link: SafeLink | null }[];
  href: string | null;
};

/** How a person settles a write whose answer was lost. */
export type Settling = {
  /** Needs a second person, as money moves or an account closes. */
  needsSecond: boolean;
  describe: (store: Db | Tx, intent: Intent) => Promise<OutcomeSubject>;
  candidatesOf?: (tx: Tx, intent: Intent) => Promise<string[]>;
  /** It cannot be settled as not happened until every candidate is ruled out. */
  isRuledOutFirst?: boolean;
  /** How a person names its effect by an id of the provider's or the chain's. */
  proof?: {
    /** Throws conflict where it cannot be that. */
    refuse: (tx: Tx, intent: Intent, id: string) => Promise<void>;
    keep: (tx: Tx, intent: Intent, id: string) => Promise<void>;
  };
  /** Reads what candidates are found in, before somebody says that it did not happen. */
  look?: (actor: Actor, intent: Intent) => Promise<void>;
};
