import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "./columns";
import { lookupHashes } from "./seal";
import type { Db, Tx } from "./store";

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

/** What one process at a time may do: who does it, and until when the others wait for it. */
export const lease = pgTable("lease", {
  name: text("name").primaryKey(),
  holder: uuid("holder").notNull(),
  until: instant("until").notNull(),
});

declare global {
  var retaguardaInstance: string | undefined;
}

/** This process among the instances that share the store; a new one at each start. */
export function instanceId(): string {
  globalThis.retaguardaInstance ??= randomUUID();
  return globalThis.retaguardaInstance;
}

type Wanted = { name: string; ttlMs: number; holder?: string };

// The store's own clock: those of the instances may differ.
const ends = (ttlMs: number) => sql`clock_timestamp() + ${ttlMs} * interval '1 millisecond'`;

/**
 * Takes the lease for `ttlMs`, or prolongs it for its holder; false while another one holds it. A holder that dies, or
 * that takes longer than it said, loses it.
 */
export async function takeLease(db: Db, { name, ttlMs, holder = instanceId() }: Wanted): Promise<boolean> {
  const until = ends(ttlMs);
  const taken = await db
    .insert(lease)
    .values({ name, holder, until })
    .onConflictDoUpdate({
      target: lease.name,
      set: { holder, until },
      setWhere: sql`${lease.holder} = ${holder} or ${lease.until} < clock_timestamp()`,
    })
    .returning({ name: lease.name });
  return taken.length > 0;
}

/** Lets the next one in without waiting for the end; nothing when another one holds it by now. */
export async function releaseLease(db: Db, name: string, holder: string = instanceId()): Promise<void> {
  await db.delete(lease).where(and(eq(lease.name, name), eq(lease.holder, holder)));
}

/** An embedded store has one opener at a time: who held a lease in it before is gone. */
export async function forgetLeases(db: Db): Promise<void> {
  await db.delete(lease);
}
