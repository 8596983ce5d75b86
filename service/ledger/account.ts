import { and, eq, inArray } from "drizzle-orm";
import { unprocessable } from "@/service/error";
import type { Reader, Tx } from "@/service/store/db";
import { WORLD } from "./asset";
import type { LedgerAccount } from "./movement";
import { ledgerAccount } from "./schema";

type Place = { holder: string; assetId: string; kind: LedgerAccount["kind"] };

const reference = {
  id: ledgerAccount.id,
  holder: ledgerAccount.holder,
  assetId: ledgerAccount.assetId,
  kind: ledgerAccount.kind,
};

/** Opens empty accounts and gives the new ones; one that exists already stays as it is. */
export async function openAccounts(tx: Tx, places: readonly Place[]): Promise<LedgerAccount[]> {
  const start = (kind: Place["kind"]) =>
    kind === "outside" ? { balance: null, entryCount: null } : { balance: 0n, entryCount: 0 };
  return tx
    .insert(ledgerAccount)
    .values(places.map((place) => ({ ...place, ...start(place.kind) })))
    .onConflictDoNothing()
    .returning(reference);
}

/**
 * Closes accounts for good: they take no further entry, and stay readable. 422 unless all of them are empty. Whoever
 * moves money on them waits, or has closing wait.
 */
export async function closeAccounts(tx: Tx, accounts: readonly LedgerAccount[]): Promise<void> {
  const isMeant = inArray(
    ledgerAccount.id,
    accounts.map(({ id }) => id),
  );
  const rows = await tx.select().from(ledgerAccount).where(isMeant).orderBy(ledgerAccount.id).for("no key update");
  if (rows.some(({ balance }) => balance !== 0n)) throw unprocessable("The account has a balance or a held amount");
  if (rows.some(({ isClosed }) => isClosed)) throw unprocessable("The account is closed");
  await tx.update(ledgerAccount).set({ isClosed: true }).where(isMeant);
}

/** The account at a place, or null. */
export async function findAccount(db: Reader, { holder, assetId, kind }: Place): Promise<LedgerAccount | null> {
  const [found] = await db
    .select(reference)
    .from(ledgerAccount)
    .where(and(eq(ledgerAccount.holder, holder), eq(ledgerAccount.assetId, assetId), eq(ledgerAccount.kind, kind)));
  return found ?? null;
}

/** The rest of the world's side of an asset, which every known asset has. */
export async function worldAccount(db: Reader, assetId: string): Promise<LedgerAccount> {
  const found = await findAccount(db, { holder: WORLD, assetId, kind: "outside" });
  if (!found) throw new Error(`the ledger was not opened for ${assetId}`);
  return found;
}
