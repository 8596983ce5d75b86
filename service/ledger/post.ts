import { asc, inArray, sql } from "drizzle-orm";
import { unprocessable } from "@/service/error";
import type { Tx } from "@/service/store/db";
import { assertBalanced, type LedgerAccount, type Movement } from "./movement";
import { ledgerAccount } from "./schema";

type Kept = { balance: bigint; entryCount: number };
type Entry = {
  movement_id: string;
  account_id: number;
  sequence: number | null;
  amount: string;
  balance_after: string | null;
  occurred_at: string;
};

const BATCH = 2_000;

const isKept = (account: LedgerAccount) => account.kind !== "outside";

/** One order for everybody, so that two transfers over the same accounts wait for each other and never deadlock. */
async function lockKept(tx: Tx, movements: readonly Movement[]): Promise<Map<number, Kept>> {
  const ids = new Set(
    movements
      .flatMap(({ lines }) => lines.map((line) => line.account))
      .filter(isKept)
      .map(({ id }) => id),
  );
  if (ids.size === 0) return new Map();
  const rows = await tx
    .select({ id: ledgerAccount.id, balance: ledgerAccount.balance, entryCount: ledgerAccount.entryCount })
    .from(ledgerAccount)
    .where(inArray(ledgerAccount.id, [...ids]))
    .orderBy(asc(ledgerAccount.id))
    .for("no key update");
  return new Map(
    rows.map(({ id, balance, entryCount }) => [id, { balance: balance ?? 0n, entryCount: entryCount ?? 0 }]),
  );
}

function entriesOf(movement: Movement, locked: Map<number, Kept>): Entry[] {
  return movement.lines.map(({ account, amount }) => {
    const entry = {
      movement_id: movement.id,
      account_id: account.id,
      amount: String(amount),
      occurred_at: movement.occurredAt.toISOString(),
    };
    if (!isKept(account)) return { ...entry, sequence: null, balance_after: null };
    const before = locked.get(account.id);
    if (!before) throw new Error(`ledger account ${account.id} does not exist`);
    const after = { balance: before.balance + amount, entryCount: before.entryCount + 1 };
    if (after.balance < 0n) throw unprocessable("Insufficient balance");
    locked.set(account.id, after);
    return { ...entry, sequence: after.entryCount, balance_after: String(after.balance) };
  });
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

/** One round trip by one statement, whose text never changes however many lines there are, so a server plans it once. */
async function write(tx: Tx, movements: readonly Movement[], entries: readonly Entry[]): Promise<void> {
  const written = [
    tx.$with("movement", {}).as(head),
    tx.$with("entry", {}).as(lines),
    tx.$with("balance", {}).as(balances),
  ];
  const heads = movements.map(({ id, type, description, occurredAt }) => ({ id, type, description, occurredAt }));
  const last = new Map(
    entries.flatMap(({ account_id: id, balance_after: balance, sequence }) =>
      balance === null ? [] : [[id, { id, balance, entry_count: sequence }]],
    ),
  );
  await tx
    .with(...written)
    .select({ written: sql`true` })
    .from(sql`(values (true)) as once`)
    .prepare("ledger_write")
    .execute({
      heads: JSON.stringify(heads),
      entries: JSON.stringify(entries),
      balances: JSON.stringify([...last.values()]),
    });
}

/**
 * Enters movements in their order, in the caller's transaction: locks the accounts, refuses what would take one below
 * zero (422), and writes entries and balances together.
 * Throws `UnbalancedMovement` when one would create or destroy money.
 */
export async function postAll(tx: Tx, movements: readonly Movement[]): Promise<void> {
  movements.forEach(assertBalanced);
  const locked = await lockKept(tx, movements);
  for (let start = 0; start < movements.length; start += BATCH) {
    const batch = movements.slice(start, start + BATCH);
    await write(
      tx,
      batch,
      batch.flatMap((movement) => entriesOf(movement, locked)),
    );
  }
}

/** Enters one movement: see `postAll`. */
export async function post(tx: Tx, movement: Movement): Promise<void> {
  await postAll(tx, [movement]);
}
