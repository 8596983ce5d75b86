import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "./columns";
import { lookupHashes } from "./seal";
import type { Db, Tx } from "./connection";
import { holdLock } from "./lock";

/** Until the transaction ends. During a key change each instance locks every hash it knows, so two share one. */
export async function lockByHashes(tx: Tx, ...clear: readonly string[]): Promise<void> {
  // In one order, so that two holders of the same locks cannot deadlock.
  for (const hash of clear.flatMap(lookupHashes).toSorted()) {
    await holdLock(tx, hash);
  }
}

export const lease = pgTable("lease", {
  name: text("name").primaryKey(),
  holder: uuid("holder").notNull(),
  until: instant("until").notNull(),
});

declare global {
  var retaguardaInstance: string | undefined;
}

/** New at each start. */
export function instanceId(): string {
  globalThis.retaguardaInstance ??= randomUUID();
  return globalThis.retaguardaInstance;
}

type LeaseRequest = { name: string; ttlMs: number; holder?: string };

// By the store's clock, as instances' clocks may differ.
const ends = (ttlMs: number) => sql`clock_timestamp() + ${ttlMs} * interval '1 millisecond'`;

/** Takes the lease or renews it for its holder; false while another one holds it. */
export async function takeLease(db: Db, { name, ttlMs, holder = instanceId() }: LeaseRequest): Promise<boolean> {
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

export async function releaseLease(db: Db, name: string, holder: string = instanceId()): Promise<void> {
  await db.delete(lease).where(and(eq(lease.name, name), eq(lease.holder, holder)));
}

/** An embedded store has one opener: earlier holders are gone. */
export async function forgetLeases(db: Db): Promise<void> {
  await db.delete(lease);
}
