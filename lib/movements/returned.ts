import { and, eq, exists, inArray, isNotNull, or, type SQL } from "drizzle-orm";
import { isReturnOf, returningEntry } from "@/lib/accounts/records";
import type { Db } from "@/lib/db/connection";
import { accountEntry } from "@/lib/db/tables/accounts";
import { transfer } from "@/lib/db/tables/transfers";

/** By the entry that names it as returned, whoever ordered it: what merely looks like it is not counted. */
export function isReturned(store: Db, tenant: string): SQL | undefined {
  const { transactionId, returnedAt } = transfer;
  const noted = store
    .select({ transactionId })
    .from(transfer)
    .where(and(eq(transfer.tenant, tenant), isNotNull(returnedAt), isNotNull(transactionId)));
  const told = store.select({ at: returningEntry.at }).from(returningEntry).where(isReturnOf(accountEntry));
  return or(inArray(accountEntry.transactionId, noted), exists(told));
}

type Paid = Pick<typeof accountEntry.$inferSelect, "accountRef" | "transactionId" | "direction">;

export type ReturnedAt = (paid: Paid) => string | null;

export async function readReturns(store: Db, tenant: string, ids: readonly string[]): Promise<ReturnedAt> {
  if (ids.length === 0) return () => null;
  const { accountRef, transactionId, direction } = accountEntry;
  const isAsked = and(eq(accountEntry.tenant, tenant), inArray(transactionId, [...ids]), eq(direction, "out"));
  const isNoted = and(eq(transfer.tenant, tenant), inArray(transfer.transactionId, [...ids]));
  const [told, noted] = await Promise.all([
    store
      .select({ accountRef, id: transactionId, at: returningEntry.at })
      .from(accountEntry)
      .innerJoin(returningEntry, isReturnOf(accountEntry))
      .where(isAsked),
    store.select({ id: transfer.transactionId, at: transfer.returnedAt }).from(transfer).where(isNoted),
  ]);
  return (paid) => {
    if (paid.direction !== "out") return null;
    const isIt = ({ id }: { id: string | null }) => id === paid.transactionId;
    const back = told.find((one) => isIt(one) && one.accountRef === paid.accountRef) ?? noted.find(isIt);
    return back?.at?.toISOString() ?? null;
  };
}
