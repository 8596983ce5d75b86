import { sql } from "drizzle-orm";
import { lookupHashes } from "./seal";
import type { Tx } from "./store";

/**
 * One at a time for the same text, until the transaction ends. While keys are exchanged an instance may not know them all:
 * each locks all that it knows, so two of them have one in common.
 */
export async function lockByHashes(tx: Tx, clear: string): Promise<void> {
  // One order for all: two that want the same locks never wait for each other.
  for (const hash of lookupHashes(clear).toSorted()) {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${hash}))`);
  }
}
