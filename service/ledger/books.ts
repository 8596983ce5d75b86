import { inArray, sql } from "drizzle-orm";
import type { Soon } from "@/service/soon";
import { type Db, afterCommit, statement, type Tx } from "@/service/store/transaction";
import { ledgerAccount } from "@/service/store/schema";
import { unprocessable } from "@/service/error";
import { assertBalanced, type LedgerAccount, type Movement } from "./account";

/** In base units. */
type AccountState = { balance: bigint; entryCount: number };

/** Committed balances in memory: one process serves a database, and each commit is noted here. */
export type Balances = {
  read: (accountIds: readonly number[]) => Soon<bigint[]>;
  /** Null unless all are known. */
  recall: (accountIds: readonly number[]) => Map<number, AccountState> | null;
  note: (changes: ReadonlyMap<number, AccountState>) => void;
  forget: (accountIds: Iterable<number>) => void;
};

const REMEMBERED = 200_000;

export function createBalances(db: Db): Balances {
  const known = new Map<number, AccountState>();
  let forgotten = 0;

  // Commits may be noted out of order: more entries are later.
  const note: Balances["note"] = (changes) => {
    if (known.size + changes.size > REMEMBERED) {
      known.clear();
      forgotten += 1;
    }
    for (const [id, stored] of changes)
      if (stored.entryCount >= (known.get(id)?.entryCount ?? 0)) known.set(id, stored);
  };
  const recall: Balances["recall"] = (accountIds) => {
    const found = new Map<number, AccountState>();
    for (const id of accountIds) {
      const stored = known.get(id);
      if (!stored) return null;
      found.set(id, stored);
    }
    return found;
  };
  const atHand = (accountIds: readonly number[]): bigint[] | null => {
    const found: bigint[] = [];
    for (const id of accountIds) {
      const stored = known.get(id);
      if (!stored) return null;
      found.push(stored.balance);
    }
    return found;
  };
  const load = async (accountIds: readonly number[]): Promise<bigint[]> => {
    const before = forgotten;
    const { id, balance, entryCount } = ledgerAccount;
    const rows = await db
      .select({ id, balance, entryCount })
      .from(ledgerAccount)
      .where(inArray(id, [...accountIds]));
    const loaded = new Map(
      rows.map((row) => [row.id, { balance: row.balance ?? 0n, entryCount: row.entryCount ?? 0 }]),
    );
    if (before === forgotten) note(loaded);
    return accountIds.map((accountId) => {
      const stored = loaded.get(accountId);
      if (!stored) throw new Error(`ledger account ${accountId} does not exist`);
      return stored.balance;
    });
  };

  return {
    read: (accountIds) => atHand(accountIds) ?? load(accountIds),
    recall,
    note,
    forget: (accountIds) => {
      for (const id of accountIds) known.delete(id);
      forgotten += 1;
    },
  };
}

type AccountRow = AccountState & { isClosed: boolean };
type Entry = {
  movement_id: string;
  account_id: number;
  sequence: number | null;
  amount: string;
  balance_after: string | null;
  occurred_at: string;
};

/** Locked accounts and their new movements; nothing is stored before `write`. */
export type Books = {
  balanceOf: (account: LedgerAccount) => bigint;
  check: (movement: Movement) => void;
  /** All or nothing. 422 below zero or on a closed account. Throws `UnbalancedMovement`. */
  enter: (movement: Movement) => void;
  /** Since the last time, by one statement. */
  write: () => Promise<void>;
};

const isStored = (account: LedgerAccount) => account.kind !== "outside";

const lockAccounts = statement(
  "ledger_lock",
  {
    id: ledgerAccount.id,
    balance: ledgerAccount.balance,
    entryCount: ledgerAccount.entryCount,
    isClosed: ledgerAccount.isClosed,
  },
  sql`select id, balance, entry_count, is_closed from ledger_account
    where id = any(${sql.placeholder("ids")}::integer[]) order by id for no key update`,
);

/** In one order, so that transfers over the same accounts cannot deadlock. */
async function lock(tx: Tx, accounts: readonly LedgerAccount[]): Promise<Map<number, AccountRow>> {
  const ids = new Set(accounts.filter(isStored).map(({ id }) => id));
  if (ids.size === 0) return new Map();
  const rows = await lockAccounts(tx, { ids: `{${[...ids].join(",")}}` });
  return new Map(
    rows.map((row) => [
      row.id,
      { balance: row.balance ?? 0n, entryCount: row.entryCount ?? 0, isClosed: row.isClosed },
    ]),
  );
}

const heads = sql`
  insert into ledger_movement (id, type, description, occurred_at)
  select id, type, description, "occurredAt" from jsonb_to_recordset(${sql.placeholder("heads")}::jsonb)
    as head (id text, type text, description text, "occurredAt" timestamptz)`;
const bookedLines = sql`
  insert into ledger_entry (movement_id, account_id, sequence, amount, balance_after, occurred_at)
  select * from jsonb_to_recordset(${sql.placeholder("entries")}::jsonb) as line (movement_id text, account_id integer,
    sequence bigint, amount numeric, balance_after numeric, occurred_at timestamptz)`;
const changes = sql`
  update ledger_account set balance = kept.balance, entry_count = kept.entry_count
  from (
    select kept.* from jsonb_to_recordset(${sql.placeholder("balances")}::jsonb)
      as kept (id integer, balance numeric, entry_count bigint, entries_before bigint)
    join ledger_account one on one.id = kept.id order by one.id for no key update of one) as kept
  where ledger_account.id = kept.id and ledger_account.entry_count = kept.entries_before and not ledger_account.is_closed
  returning 1`;

export const entering = sql`movement as (${heads}), entry as (${bookedLines}), account as (${changes})`;

/** Divides by zero unless every account was as before. */
export const areAsBefore = sql`1 / ((select count(*) from account) = ${sql.placeholder("accountCount")}::bigint)::integer`;

/** One round trip however many lines there are. */
const writeLines = statement("ledger_write", {}, sql`with ${entering} select ${areAsBefore}`);

type Entered = { movements: Movement[]; entries: Entry[] };

export function valuesOf({ movements, entries }: Entered) {
  const newMovements = movements.map(({ id, type, description, occurredAt }) => ({
    id,
    type,
    description,
    occurredAt,
  }));
  const stored = new Map<number, { id: number; balance: string; entry_count: number; entries_before: number }>();
  for (const { account_id: id, balance_after: balance, sequence } of entries) {
    if (balance === null || sequence === null) continue;
    const entries_before = stored.get(id)?.entries_before ?? sequence - 1;
    stored.set(id, { id, balance, entry_count: sequence, entries_before });
  }
  return {
    heads: JSON.stringify(newMovements),
    entries: JSON.stringify(entries),
    balances: JSON.stringify([...stored.values()]),
    accountCount: stored.size,
  };
}

/** 422 when it is closed or would fall below zero. */
function next({ balance, entryCount, isClosed }: AccountRow, amount: bigint): AccountRow {
  if (isClosed) throw unprocessable("The account is closed");
  if (balance + amount < 0n) throw unprocessable("Insufficient balance");
  return { balance: balance + amount, entryCount: entryCount + 1, isClosed };
}

export type Pages = Pick<Books, "balanceOf" | "check" | "enter"> & {
  rows: ReadonlyMap<number, AccountRow>;
  take: () => Entered;
};

function pagesOn(rows: Map<number, AccountRow>): Pages {
  let entered: Entered = { movements: [], entries: [] };
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
    const occurred_at = movement.occurredAt.toISOString();
    for (const { account, amount, row } of after(movement)) {
      if (row) rows.set(account.id, row);
      entered.entries.push({
        movement_id: movement.id,
        account_id: account.id,
        sequence: row?.entryCount ?? null,
        amount: String(amount),
        balance_after: row ? String(row.balance) : null,
        occurred_at,
      });
    }
    entered.movements.push(movement);
  };
  const take = (): Entered => {
    const taken = entered;
    entered = { movements: [], entries: [] };
    return taken;
  };
  return {
    balanceOf: (account) => rowOf(account).balance,
    check: (movement) => void after(movement),
    enter,
    rows,
    take,
  };
}

export async function openBooks(
  service: { balances: Balances },
  tx: Tx,
  accounts: readonly LedgerAccount[],
): Promise<Books> {
  const { rows, take, ...pages } = pagesOn(await lock(tx, accounts));
  let written = new Map(rows);
  const write = async (): Promise<void> => {
    const entered = take();
    if (entered.movements.length === 0) return;
    written = new Map(rows);
    await writeLines(tx, valuesOf(entered));
  };
  afterCommit(tx, {
    committed: () => service.balances.note(written),
    abandoned: () => service.balances.forget(rows.keys()),
  });
  return { ...pages, write };
}

/** Without a lock: the writer must check that they still hold. */
export function recallPages({ balances }: { balances: Balances }, accounts: readonly LedgerAccount[]): Pages | null {
  const stored = balances.recall(accounts.filter(isStored).map(({ id }) => id));
  return stored && pagesOn(new Map([...stored].map(([id, row]) => [id, { ...row, isClosed: false }])));
}

const BATCH = 2_000;

/** Locks, checks and writes in the caller's transaction. 422; throws `UnbalancedMovement`. */
export async function postAll(service: { balances: Balances }, tx: Tx, movements: readonly Movement[]): Promise<void> {
  const accounts = movements.flatMap(({ lines }) => lines.map((line) => line.account));
  const books = await openBooks(service, tx, accounts);
  for (let start = 0; start < movements.length; start += BATCH) {
    movements.slice(start, start + BATCH).forEach(books.enter);
    await books.write();
  }
}

export async function post(service: { balances: Balances }, tx: Tx, movement: Movement): Promise<void> {
  await postAll(service, tx, [movement]);
}
