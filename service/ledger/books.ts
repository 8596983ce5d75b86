import { asc, inArray, sql } from "drizzle-orm";
import { unprocessable } from "@/service/error";
import { ledgerAccount, ledgerEntry, ledgerMovement } from "@/service/store/schema";
import type { Reader, Tx } from "@/service/store/transaction";
import { assertBalanced, type LedgerAccount, type Movement } from "./account";

/** In base units, as committed. Throws when one does not exist. */
export async function readBalances(db: Reader, accountIds: readonly number[]): Promise<bigint[]> {
  const { id, balance } = ledgerAccount;
  const rows = await db
    .select({ id, balance })
    .from(ledgerAccount)
    .where(inArray(id, [...accountIds]));
  return accountIds.map((accountId) => {
    const found = rows.find((row) => row.id === accountId);
    if (!found) throw new Error(`ledger account ${accountId} does not exist`);
    return found.balance ?? 0n;
  });
}

type AccountRow = { balance: bigint; entryCount: number; isClosed: boolean };
type Entry = typeof ledgerEntry.$inferInsert;

/** Locked accounts and their new movements; nothing is stored before `write`. */
export type Books = {
  balanceOf: (account: LedgerAccount) => bigint;
  check: (movement: Movement) => void;
  /** All or nothing. 422 below zero or on a closed account. Throws `UnbalancedMovement`. */
  enter: (movement: Movement) => void;
  /** Since the last call. */
  write: () => Promise<void>;
};

const isStored = (account: LedgerAccount) => account.kind !== "outside";

/** In one order, so that transfers over the same accounts cannot deadlock. */
async function lock(tx: Tx, accounts: readonly LedgerAccount[]): Promise<Map<number, AccountRow>> {
  const ids = new Set(accounts.filter(isStored).map(({ id }) => id));
  if (ids.size === 0) return new Map();
  const rows = await tx
    .select()
    .from(ledgerAccount)
    .where(inArray(ledgerAccount.id, [...ids]))
    .orderBy(asc(ledgerAccount.id))
    .for("no key update");
  return new Map(
    rows.map(({ id, balance, entryCount, isClosed }) => [
      id,
      { balance: balance ?? 0n, entryCount: entryCount ?? 0, isClosed },
    ]),
  );
}

async function storeBalances(tx: Tx, rows: ReadonlyMap<number, AccountRow>): Promise<void> {
  if (rows.size === 0) return;
  const kept = [...rows].map(
    ([id, { balance, entryCount }]) => sql`(${id}::integer, ${String(balance)}::numeric, ${entryCount}::bigint)`,
  );
  await tx.execute(sql`
    update ${ledgerAccount} set balance = kept.balance, entry_count = kept.entry_count
    from (values ${sql.join(kept, sql`, `)}) as kept (id, balance, entry_count)
    where ${ledgerAccount.id} = kept.id`);
}

/** 422 when it is closed or would fall below zero. */
function next({ balance, entryCount, isClosed }: AccountRow, amount: bigint): AccountRow {
  if (isClosed) throw unprocessable("The account is closed");
  if (balance + amount < 0n) throw unprocessable("Insufficient balance");
  return { balance: balance + amount, entryCount: entryCount + 1, isClosed };
}

export async function openBooks(tx: Tx, accounts: readonly LedgerAccount[]): Promise<Books> {
  const rows = await lock(tx, accounts);
  let movements: Movement[] = [];
  let entries: Entry[] = [];
  const rowOf = ({ id }: LedgerAccount): AccountRow => {
    const row = rows.get(id);
    if (!row) throw new Error(`ledger account ${id} was not locked or does not exist`);
    return row;
  };
  const after = (movement: Movement) => {
    assertBalanced(movement);
    return movement.lines.map(({ account, amount }) => {
      return { account, amount, row: isStored(account) ? next(rowOf(account), amount) : null };
    });
  };
  const enter: Books["enter"] = (movement) => {
    const { id: movementId, occurredAt } = movement;
    for (const { account, amount, row } of after(movement)) {
      if (row) rows.set(account.id, row);
      const balanceAfter = row?.balance ?? null;
      const sequence = row?.entryCount ?? null;
      entries.push({ movementId, accountId: account.id, sequence, amount, balanceAfter, occurredAt });
    }
    movements.push(movement);
  };
  const write = async (): Promise<void> => {
    if (movements.length === 0) return;
    await tx
      .insert(ledgerMovement)
      .values(movements.map(({ id, type, description, occurredAt }) => ({ id, type, description, occurredAt })));
    await tx.insert(ledgerEntry).values(entries);
    await storeBalances(tx, rows);
    movements = [];
    entries = [];
  };
  return { balanceOf: (account) => rowOf(account).balance, check: (movement) => void after(movement), enter, write };
}

const BATCH = 2_000;

/** Locks, checks and writes in the caller's transaction. 422; throws `UnbalancedMovement`. */
export async function postAll(tx: Tx, movements: readonly Movement[]): Promise<void> {
  const accounts = movements.flatMap(({ lines }) => lines.map((line) => line.account));
  const books = await openBooks(tx, accounts);
  for (let start = 0; start < movements.length; start += BATCH) {
    movements.slice(start, start + BATCH).forEach(books.enter);
    await books.write();
  }
}

export async function post(tx: Tx, movement: Movement): Promise<void> {
  await postAll(tx, [movement]);
}
