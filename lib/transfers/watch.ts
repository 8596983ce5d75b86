import { and, eq } from "drizzle-orm";
import { watchActor } from "@/lib/auth/grant";
import { intents } from "@/lib/bank/intent";
import type { Intent } from "@/lib/bank/intent-record";
import type { OutcomeKind, OutcomeSubject } from "@/lib/outcomes/queries";
import { account } from "@/lib/store/schema";
import type { Db, Tx } from "@/lib/store/store";
import type { Watch } from "@/lib/process/watch";
import { externalTransfer, internalTransfer } from "./kinds";
import { transfer } from "./schema";

const KINDS = [internalTransfer, externalTransfer];

const actorOf = (tenant: string) => watchActor("transfers", tenant, "transfers:create");

/** Transfers whose sender died are no longer being sent: asks nobody. */
export const reconcileTransfers = (tenant: string): Promise<void> => intents.reconcile(actorOf(tenant), KINDS);

async function describeTransfer(store: Db | Tx, { tenant, id, object }: Intent): Promise<OutcomeSubject> {
  const [row] = await store
    .select({ amount: transfer.amount, branch: account.branch, number: account.number, ref: account.ref })
    .from(transfer)
    .leftJoin(account, and(eq(account.tenant, transfer.tenant), eq(account.accountId, transfer.accountId)))
    .where(and(eq(transfer.tenant, tenant), eq(transfer.intentId, id)));
  const isKnown = row !== undefined && row.ref !== null;
  return {
    subject: isKnown ? `${row.branch} / ${row.number}` : object.replace("account:", ""),
    amount: row?.amount ?? null,
    href: row === undefined ? null : `/transfers/${id}`,
  };
}

const transferOutcome = { permission: "transfers:create", needsApproval: true, describe: describeTransfer } as const;

export const TRANSFER_OUTCOMES: readonly OutcomeKind[] = [
  { name: "transfer.internal", intent: internalTransfer, ...transferOutcome },
  { name: "transfer.external", intent: externalTransfer, ...transferOutcome },
];

/** Finds out what became of transfers whose sender died or whose answer was lost. */
export const transfersWatch: Watch = {
  name: "transfers",
  topic: "transfers",
  async sweep(tenant) {
    await intents.recover(actorOf(tenant), KINDS);
  },
};
