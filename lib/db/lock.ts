import { sql } from "drizzle-orm";
import type { Tx } from "./connection";

/** Until the transaction ends, others who count under the same name wait. */
export async function holdLock(tx: Tx, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${name}))`);
}
