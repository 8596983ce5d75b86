import { inArray } from "drizzle-orm";
import type { Soon } from "@/service/soon";
import type { Db } from "@/service/store/transaction";
import { ledgerAccount } from "./schema";

/** What an account has, in base units, and by how many entries it came to that. */
export type Kept = { balance: bigint; entryCount: number };

/**
 * The committed balances in memory, so that reading one costs no query. One process serves a database, and every commit
 * that moves money tells it here; what nobody has told or asked yet is read from the database.
 */
export type Balances = {
  /** The balances of accounts that keep one, in base units, in the order asked, all of one moment. */
  read: (accountIds: readonly number[]) => Soon<bigint[]>;
  /** What memory has of these accounts; null unless it has all of them. */
  recall: (accountIds: readonly number[]) => Map<number, Kept> | null;
  note: (changes: ReadonlyMap<number, Kept>) => void;
  forget: (accountIds: Iterable<number>) => void;
};

const REMEMBERED = 200_000;

export function createBalances(db: Db): Balances {
  const known = new Map<number, Kept>();
  let forgotten = 0;

  // Commits may be heard out of order: the one with more entries is the later one.
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
