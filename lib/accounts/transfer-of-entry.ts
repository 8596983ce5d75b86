import { and, desc, eq, or } from "drizzle-orm";
import type { Actor } from "@/lib/permission/grant";
import { db } from "@/lib/db/connection";
import { transfer } from "@/lib/db/tables/transfers";

/** The transfer that an entry belongs to, or returns. */
export type EntryTransfer = { id: string; isReturn: boolean };

export async function findTransferOfEntry({ tenant }: Actor, entryId: string): Promise<EntryTransfer | null> {
  const store = await db();
  const [found] = await store
    .select({ id: transfer.intentId, returnId: transfer.returnId })
    .from(transfer)
    .where(and(eq(transfer.tenant, tenant), or(eq(transfer.transactionId, entryId), eq(transfer.returnId, entryId))))
    .orderBy(desc(transfer.createdAt))
    .limit(1);
  return found === undefined ? null : { id: found.id, isReturn: found.returnId === entryId };
}
