import { sql } from "drizzle-orm";
import type { Service } from "@/service/context";
import { unprocessable } from "@/service/error";
import type { Tx } from "@/service/store/db";
import { statement } from "@/service/store/statement";
import { afterCommit } from "@/service/store/transaction";
import type { Kept } from "./balances";
import { assertBalanced, type LedgerAccount, type Movement } from "./movement";
import { ledgerAccount } from "./schema";

type Row = Kept & { isClosed: boolean };
type Entry = {
  movement_id: string;
  account_id: number;
  sequence: number | null;
  amount: string;
  balance_after: string | null;
  occurred_at: string;
};

/**
 * Some accounts under lock, for the length of a transaction, with the movements entered upon them meanwhile. Nothing is
 * in the database before `write`.
 */
export type Books = {
  /** What the account has now, in base units, with all that was entered. */
  balanceOf: (account: LedgerAccount) => bigint;
  /** Throws what `enter` would throw, and enters nothing. */
  check: (movement: Movement) => void;
  /**
   * Enters a movement, all of it or nothing. 422 when it would take an account below zero or touch a closed one.
   * Throws `UnbalancedMovement` when it would create or destroy money.
   */
  enter: (movement: Movement) => void;
  /** Writes what was entered since the last time; entries and balances by one statement. */
  write: () => Promise<void>;
};

const isKept = (account: LedgerAccount) => account.kind !== "outside";

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

/** One order for everybody, so that two transfers over the same accounts wait for each other and never deadlock. */
async function lock(tx: Tx, accounts: readonly LedgerAccount[]): Promise<Map<number, Row>> {
  const ids = new Set(accounts.filter(isKept).map(({ id }) => id));
  if (ids.size === 0) return new Map();
  const rows = await lockAccounts(tx, { ids: `{${[...ids].join(",")}}` });
  return new Map(
    rows.map((row) => [
      row.id,
      { balance: row.balance ?? 0n, entryCount: row.entryCount ?? 0, isClosed: row.isClosed },
    ]),
  );
}

const head = sql`
  insert into ledger_movement (id, type, description, occurred_at)
  select id, type, description, "occurredAt" from jsonb_to_recordset(${sql.placeholder("heads")}::jsonb)
    as head (id text, type text, description text, "occurredAt" timestamptz)`;
const lines = sql`
  insert into ledger_entry (movement_id, account_id, sequence, amount, balance_after, occurred_at)
  select * from jsonb_to_recordset(${sql.placeholder("entries")}::jsonb) as line (movement_id text, account_id integer,
    sequence bigint, amount numeric, balance_after numeric, occurred_at timestamptz)`;
const balances = sql`
  update ledger_account set balance = kept.balance, entry_count = kept.entry_count
  from jsonb_to_recordset(${sql.placeholder("balances")}::jsonb) as kept (id integer, balance numeric, entry_count bigint)
  where ledger_account.id = kept.id`;

/** One round trip however many lines there are. */
const writeLines = statement(
  "ledger_write",
  {},
  sql`with movement as (${head}), entry as (${lines}), balance as (${balances}) select`,
);

async function writeAll(tx: Tx, movements: readonly Movement[], entries: readonly Entry[]): Promise<void> {
  const heads = movements.map(({ id, type, description, occurredAt }) => ({ id, type, description, occurredAt }));
  const last = new Map(
    entries.flatMap(({ account_id: id, balance_after: balance, sequence }) =>
      balance === null ? [] : [[id, { id, balance, entry_count: sequence }]],
    ),
  );
  await writeLines(tx, {
    heads: JSON.stringify(heads),
    entries: JSON.stringify(entries),
    balances: JSON.stringify([...last.values()]),
  });
}

/** The account after one more entry of that amount. 422 when it is closed or would fall below zero. */
function next({ balance, entryCount, isClosed }: Row, amount: bigint): Row {
  if (isClosed) throw unprocessable("The account is closed");
  if (balance + amount < 0n) throw unprocessable("Insufficient balance");
  return { balance: balance + amount, entryCount: entryCount + 1, isClosed };
}

/** Locks accounts in the caller's transaction and opens the books on them. */
export async function openBooks(
  service: Pick<Service, "balances">,
  tx: Tx,
  accounts: readonly LedgerAccount[],
): Promise<Books> {
  const rows = await lock(tx, accounts);
  let movements: Movement[] = [];
  let entries: Entry[] = [];
  let written = new Map(rows);

  const rowOf = ({ id }: LedgerAccount): Row => {
    const row = rows.get(id);
    if (!row) throw new Error(`ledger account ${id} was not locked or does not exist`);
    return row;
  };
  const after = (movement: Movement) => {
    assertBalanced(movement);
    return movement.lines.map(({ account, amount }) => {
      return { account, amount, row: isKept(account) ? next(rowOf(account), amount) : null };
    });
  };
  const enter: Books["enter"] = (movement) => {
    const occurred_at = movement.occurredAt.toISOString();
    for (const { account, amount, row } of after(movement)) {
      if (row) rows.set(account.id, row);
      entries.push({
        movement_id: movement.id,
        account_id: account.id,
        sequence: row?.entryCount ?? null,
        amount: String(amount),
        balance_after: row ? String(row.balance) : null,
        occurred_at,
      });
    }
    movements.push(movement);
  };
  const write = async (): Promise<void> => {
    if (movements.length === 0) return;
    written = new Map(rows);
    const [newMovements, newEntries] = [movements, entries];
    [movements, entries] = [[], []];
    await writeAll(tx, newMovements, newEntries);
  };
  afterCommit(tx, {
    committed: () => service.balances.note(written),
    abandoned: () => service.balances.forget(rows.keys()),
  });
  return { balanceOf: (account) => rowOf(account).balance, check: (movement) => void after(movement), enter, write };
}
