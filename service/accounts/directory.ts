import { and, eq } from "drizzle-orm";
import { BRL, type LedgerAccount, worldAccount } from "@/service/ledger/account";
import { bankAccount, ledgerAccount } from "@/service/store/schema";
import type { Db, Reader } from "@/service/store/transaction";

export type AccountFacts = Pick<
  typeof bankAccount.$inferSelect,
  "id" | "clientId" | "documentNumber" | "onboardingId"
> & {
  available: LedgerAccount;
  blocked: LedgerAccount;
};

/** Of all tenants: the caller checks the owner. */
export type AccountDirectory = {
  /** Inside a transaction, pass it: the embedded engine would wait for itself. */
  find: (accountId: string, reader?: Reader) => Promise<AccountFacts | undefined>;
  world: LedgerAccount;
};

async function load(db: Reader, accountId: string): Promise<AccountFacts | undefined> {
  const rows = await db
    .select({ account: bankAccount, ledger: ledgerAccount })
    .from(bankAccount)
    .innerJoin(ledgerAccount, and(eq(ledgerAccount.holder, bankAccount.id), eq(ledgerAccount.assetId, BRL)))
    .where(eq(bankAccount.id, accountId));
  const side = (kind: LedgerAccount["kind"]): LedgerAccount | undefined => {
    const row = rows.find(({ ledger }) => ledger.kind === kind);
    return row && { id: row.ledger.id, holder: row.ledger.holder, assetId: row.ledger.assetId, kind };
  };
  const available = side("available");
  const blocked = side("blocked");
  const [row] = rows;
  if (!row || !available || !blocked) return undefined;
  const { id, clientId, documentNumber, onboardingId } = row.account;
  return { id, clientId, documentNumber, onboardingId, available, blocked };
}

export async function openAccountDirectory(db: Db): Promise<AccountDirectory> {
  return { world: await worldAccount(db, BRL), find: (accountId, reader = db) => load(reader, accountId) };
}
