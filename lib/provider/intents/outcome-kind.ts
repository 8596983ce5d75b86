import type { Permission } from "@/lib/permission/permission";
import type { Intent, RecoverableKind } from "./intent-record";
import type { Db, Tx } from "@/lib/db/connection";
import type { UnknownOutcome } from "@/lib/unconfirmed/view";
import type { OutcomeName } from "@/lib/db/enums/unconfirmed";

/** No document in clear. */
export type OutcomeSubject = Pick<UnknownOutcome, "subject" | "amount" | "href"> &
  Partial<Pick<UnknownOutcome, "destination" | "coins">>;

export type OutcomeKind = {
  name: OutcomeName;
  intent: RecoverableKind;
  permission: Permission;
  needsApproval: boolean;
  describe: (store: Db | Tx, intent: Intent) => Promise<OutcomeSubject>;
  candidatesOf?: (tx: Tx, intent: Intent) => Promise<string[]>;
};
