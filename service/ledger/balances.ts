import { inArray } from "drizzle-orm";
import type { Soon } from "@/service/soon";
import type { Db } from "@/service/store/transaction";
import { ledgerAccount } from "./schema";

/** In base units. */
export type Kept = { balance: bigint; entryCount: number };

/** Committed balances in memory: one process serves a database, and each commit is noted here. */
export type Balances = {
  read: (accountIds: readonly number[]) => Soon<bigint[]>;
  /** Null unless all are known. */
  recall: (accountIds: readonly number[]) => Map<number, Kept> | null;
  note: (changes: ReadonlyMap<number, Kept>) => void;
  forget: (accountIds: Iterable<number>) => void;
};

const REMEMBERED = 200_000;

export function createBalances(db: Db): Balances {
  const known = new Map<number, Kept>();
  let forgotten = 0;

  // Commits may be noted out of order: more entries are later.
  const note: Balances["note"] = (changes) => {
    if (known.size + changes.size > REMEMBERED) {
      known.clear();
      forgotten += 1;
    }
    for (const [id, kept] of changes) if (kept.entryCount >= (known.get(id)?.entryCount ?? 0)) known.set(id, kept);
  };
  const recall: Balances["recall"] = (accountIds) => {
    const found = new Map<number, Kept>();
    for (const id of accountIds) {
      const kept = known.get(id);
      if (!kept) return null;
      found.set(id, kept);
    }
    return found;
  };
  const atHand = (accountIds: readonly number[]): bigint[] | null => {
    const found: bigint[] = [];
    for (const id of accountIds) {
      const kept = known.get(id);
      if (!kept) return null;
      found.push(kept.balance);
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
      const kept = loaded.get(accountId);
      if (!kept) throw new Error(`ledger account ${accountId} does not exist`);
      return kept.balance;
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
