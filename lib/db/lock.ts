import { sql } from "drizzle-orm";
import type { Tx } from "./connection";

/** Until the transaction ends, others who count under the same name wait. */
export async function holdLock(tx: Tx, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${name}))`);
}

export async function shareLock(tx: Tx, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(hashtext(${name}))`);
}

/** The store's triggers take these two; a transaction that already holds a row of theirs must hold them first, or two wait in a circle. */
export const ownWalletsLock = (tenant: string): string => `own wallets ${tenant}`;
export const ownAccountsLock = (tenant: string): string => `own accounts ${tenant}`;
