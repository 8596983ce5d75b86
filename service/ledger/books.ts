import { sql } from "drizzle-orm";
import type { Service } from "@/service/context";
import { unprocessable } from "@/service/error";
import { afterCommit, statement, type Tx } from "@/service/store/transaction";
import { assertBalanced, type LedgerAccount, type Movement } from "./account";
import type { Kept } from "./balances";
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

/**
 * What a statement says to enter movements with, by the values of `valuesOf`: movements, entries, and in `account` a row for
 * each account that has no other entries than it had before, and is open.
 */
export const entering = sql`movement as (${heads}), entry as (${bookedLines}), account as (${changes})`;

/** Fails by a division unless every account was as before. */
export const areAsBefore = sql`1 / ((select count(*) from account) = ${sql.placeholder("accountCount")}::bigint)::integer`;

/** One round trip however many lines there are. */
const writeLines = statement("ledger_write", {}, sql`with ${entering} select ${areAsBefore}`);

type Entered = { movements: Movement[]; entries: Entry[] };

/** The values of `entering`'s placeholders; `accountCount` is how many rows `account` then has. */
export function valuesOf({ movements, entries }: Entered) {
  const newMovements = movements.map(({ id, type, description, occurredAt }) => ({
    id,
    type,
    description,
    occurredAt,
  }));
  const kept = new Map<number, { id: number; balance: string; entry_count: number; entries_before: number }>();
  for (const { account_id: id, balance_after: balance, sequence } of entries) {
    if (balance === null || sequence === null) continue;
    const entries_before = kept.get(id)?.entries_before ?? sequence - 1;
    kept.set(id, { id, balance, entry_count: sequence, entries_before });
  }
  return {
    heads: JSON.stringify(newMovements),
    entries: JSON.stringify(entries),
    balances: JSON.stringify([...kept.values()]),
    accountCount: kept.size,
  };
}

/** The account after one more entry of that amount. 422 when it is closed or would fall below zero. */
function next({ balance, entryCount, isClosed }: Row, amount: bigint): Row {
  if (isClosed) throw unprocessable("The account is closed");
  if (balance + amount < 0n) throw unprocessable("Insufficient balance");
  return { balance: balance + amount, entryCount: entryCount + 1, isClosed };
}

/** Pages with what the accounts have, to enter movements upon in memory. */
export type Pages = Pick<Books, "balanceOf" | "check" | "enter"> & {
  /** What each account has now. */
  rows: ReadonlyMap<number, Row>;
  /** Takes what was entered since the last time. */
  take: () => Entered;
};

function pagesOn(rows: Map<number, Row>): Pages {
  let entered: Entered = { movements: [], entries: [] };
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

/** Locks accounts in the caller's transaction and opens the books on them. */
export async function openBooks(
  service: Pick<Service, "balances">,
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

/** The accounts as memory has them, without a lock: whoever writes what is entered must see to it that it still holds. */
export function recallPages({ balances }: Pick<Service, "balances">, accounts: readonly LedgerAccount[]): Pages | null {
  const kept = balances.recall(accounts.filter(isKept).map(({ id }) => id));
  return kept && pagesOn(new Map([...kept].map(([id, row]) => [id, { ...row, isClosed: false }])));
}

const BATCH = 2_000;

/**
 * Enters movements in their order, in the caller's transaction: locks the accounts, refuses what would take one below
 * zero or touch a closed one (422), and writes entries and balances together.
 * Throws `UnbalancedMovement` when one would create or destroy money.
 */
export async function postAll(
  service: Pick<Service, "balances">,
  tx: Tx,
  movements: readonly Movement[],
): Promise<void> {
  const accounts = movements.flatMap(({ lines }) => lines.map((line) => line.account));
  const books = await openBooks(service, tx, accounts);
  for (let start = 0; start < movements.length; start += BATCH) {
    movements.slice(start, start + BATCH).forEach(books.enter);
    await books.write();
  }
}

/** Enters one movement: see `postAll`. */
export async function post(service: Pick<Service, "balances">, tx: Tx, movement: Movement): Promise<void> {
  await postAll(service, tx, [movement]);
}
