import { z } from "zod";
import { recordIncident } from "@/lib/audit/incident";
import { record } from "@/lib/audit/record";
import { type IntentEnd, intentKind } from "@/lib/bank/intent-record";
import { closeAccount } from "@/lib/bank/operations";
import type { CloseAccount } from "@/lib/contract/accounts";
import { publish } from "@/lib/live/publish";
import type { Tx } from "@/lib/store/store";
import type { ClosureOrder, HolderProof } from "./rules";
import { noteClosed } from "./records";
import { statusWordIn, standingIn } from "./standing";

/** Null of a closure whose effect was seen, but whose answer was lost. */
const Closed = z.object({ status: z.string() }).nullable();
type Closed = z.infer<typeof Closed>;

async function keepEnd(tx: Tx, { intent, by, kept }: IntentEnd<Closed>): Promise<void> {
  const { tenant, id: intentId, object, state, status, code } = intent;
  const outcome = state === "SENDING" ? "INTENT" : state;
  await record(tx, { tenant, actor: by, code: "accounts.close", outcome, object, intentId, detail: { status, code } });
  if (state === "DONE") await noteClosed(tx, { tenant, object, word: kept?.status ?? "" });
  await publish(tx, { tenant, topic: "transfers", object });
}

/** A closure has no Idempotency-Key (interface: Bank accounts › POST /v1/bank-accounts/closeAccount). */
export const accountClosing = intentKind({
  operation: closeAccount,
  isKeyed: false,
  traced: ({ userAccessToken: _token, code: _code, ...told }) => told,
  busyCode: "closing-pending",
  unconfirmedCode: "closing-unconfirmed",
  kept: Closed,
  // What is answered is not shown: a success that names another status than closed is none yet.
  keep: (answer) => {
    const word = statusWordIn(answer);
    return word === "" || standingIn(answer) === "CLOSED" ? { status: word } : null;
  },
  ended: keepEnd,
  unreadable: recordIncident,
});

/** What is sent; without `proof`, as it is frozen and told from others. */
export const closureBody = (
  { userId, number: account, reason }: ClosureOrder,
  { userAccessToken, code }: HolderProof = { userAccessToken: "", code: "" },
): CloseAccount => ({ userId, account, reason, userAccessToken, code });
