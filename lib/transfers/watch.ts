import { and, eq, exists, isNull, sql } from "drizzle-orm";
import { watchActor } from "@/lib/auth/grant";
import { intents } from "@/lib/bank/intent";
import { bankIntent } from "@/lib/bank/intent-schema";
import { db } from "@/lib/store/store";
import type { Watch } from "@/lib/watch";
import { externalTransfer, internalTransfer } from "./kinds";
import { transfer } from "./schema";

const KINDS = [internalTransfer, externalTransfer];

const actorOf = (tenant: string) => watchActor("transfers", tenant, "transfers:create");

/** Transfers whose sender died are no longer being sent: asks nobody. */
export const settleTransfers = (tenant: string): Promise<void> => intents.settle(actorOf(tenant), KINDS);

/** The interface shows no way to ask about a held transfer: when its time is over, a person must look. */
async function markExpired(tenant: string): Promise<void> {
  const store = await db();
  const expired = store
    .select({ id: bankIntent.id })
    .from(bankIntent)
    .where(
      and(
        eq(bankIntent.tenant, transfer.tenant),
        eq(bankIntent.id, transfer.intentId),
        eq(bankIntent.state, "HELD"),
        // Without a readable end of its own, a day is what we wait.
        sql`coalesce(${bankIntent.pendingExpiresAt}, ${bankIntent.finishedAt} + interval '1 day') < clock_timestamp()`,
      ),
    );
  await store
    .update(transfer)
    .set({ toBeCheckedSince: sql`clock_timestamp()` })
    .where(and(eq(transfer.tenant, tenant), isNull(transfer.toBeCheckedSince), exists(expired)));
}

/** Finds out what became of transfers whose sender died or whose answer was lost, and marks held ones that are overdue. */
export const transfersWatch: Watch = {
  name: "transfers",
  topic: "transfers",
  async sweep(tenant) {
    await intents.recover(actorOf(tenant), KINDS);
    await markExpired(tenant);
  },
};
