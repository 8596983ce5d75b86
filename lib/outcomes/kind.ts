import type { Permission } from "@/lib/auth/permission";
import type { Intent, RecoverableKind } from "@/lib/bank/intent-record";
import type { OutcomeName } from "./view";
import type { Db, Tx } from "@/lib/store/store";

/** What a write was about, for people: no document in clear. */
export type OutcomeSubject = { subject: string | null; amount: string | null; href: string | null };

/** A write whose end a person may have to say, described once by its area. */
export type OutcomeKind = {
  name: OutcomeName;
  intent: RecoverableKind;
  /** What it takes to order it, and so to say what became of it. */
  permission: Permission;
  /** It moves money or closes an account: a second person agrees. */
  needsApproval: boolean;
  describe: (store: Db | Tx, intent: Intent) => Promise<OutcomeSubject>;
  /** What may have come of it by what the provider shows; those that were ruled out are none. */
  candidatesOf?: (tx: Tx, intent: Intent) => Promise<string[]>;
};
