import { and, count, eq, ne, sql } from "drizzle-orm";
import type { Reader } from "@/service/store/transaction";
import { ledgerAccount, ledgerEntry, ledgerMovement } from "@/service/store/schema";

/** `drift`: accounts whose stored balance or count differs from their entries. */
export type BooksCheck = { balanced: boolean; accounts: number; entries: number; drift: number };

const number = (expression: ReturnType<typeof sql>) => expression.mapWith(Number);

const inOrder = sql`over (partition by ${ledgerEntry.accountId} order by ${ledgerEntry.sequence})`;

async function unbalancedMovements(db: Reader): Promise<number> {
  const sums = db
    .select({ movementId: ledgerMovement.id })
    .from(ledgerMovement)
    .leftJoin(ledgerEntry, eq(ledgerEntry.movementId, ledgerMovement.id))
    .leftJoin(ledgerAccount, eq(ledgerAccount.id, ledgerEntry.accountId))
    .groupBy(ledgerMovement.id, ledgerAccount.assetId)
    .having(sql`coalesce(sum(${ledgerEntry.amount}), 1) <> 0`)
    .as("unbalanced");
  return db.$count(sums);
}

async function driftingAccounts(db: Reader): Promise<number> {
  const replayed = db
    .select({
      accountId: ledgerEntry.accountId,
      amount: ledgerEntry.amount,
      isWrong: sql<boolean>`(
        ${ledgerEntry.sequence} is distinct from row_number() ${inOrder}
        or ${ledgerEntry.balanceAfter} is distinct from sum(${ledgerEntry.amount}) ${inOrder}
        or ${ledgerEntry.balanceAfter} < 0)`.as("is_wrong"),
    })
    .from(ledgerEntry)
    .as("replayed");
  const totals = db
    .select({
      accountId: replayed.accountId,
      balance: sql`sum(${replayed.amount})`.as("total"),
      entries: sql`count(*)`.as("entries"),
      isWrong: sql`bool_or(${replayed.isWrong})`.as("any_wrong"),
    })
    .from(replayed)
    .groupBy(replayed.accountId)
    .as("totals");
  const [row] = await db
    .select({ drift: number(sql`count(*)`) })
    .from(ledgerAccount)
    .leftJoin(totals, eq(totals.accountId, ledgerAccount.id))
    .where(
      and(
        ne(ledgerAccount.kind, "outside"),
        sql`(${totals.isWrong} is true or ${ledgerAccount.balance} <> coalesce(${totals.balance}, 0)
          or ${ledgerAccount.entryCount} <> coalesce(${totals.entries}, 0))`,
      ),
    );
  return row?.drift ?? 0;
}

/** Replays every entry (assumption: GET /sandbox/ledger/check). */
export async function checkBooks(db: Reader): Promise<BooksCheck> {
  const [accounts] = await db.select({ total: count() }).from(ledgerAccount);
  const [entries] = await db.select({ total: count() }).from(ledgerEntry);
  const drift = await driftingAccounts(db);
  const balanced = drift === 0 && (await unbalancedMovements(db)) === 0;
  return { balanced, accounts: accounts?.total ?? 0, entries: entries?.total ?? 0, drift };
}
