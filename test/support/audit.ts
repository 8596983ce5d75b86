import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "@/lib/db/connection";
import { publicKeyOf, type SignedHead, signingKey, signHeadWhenDue } from "@/lib/audit/head";
import { record } from "@/lib/audit/record";

export const TENANT = "aurora";

/** Signs into its own folder, each time a minute later. */
export function givenHeads(db: Db) {
  const directory = mkdtempSync(join(tmpdir(), "audit-heads-"));
  const key = signingKey(Buffer.alloc(32, 3));
  const shipped: SignedHead[] = [];
  let nowMs = Date.UTC(2026, 10, 21);
  return {
    directory,
    shipped,
    trust: { directories: [directory], publicKeys: [publicKeyOf(key)] },
    sign: (tenant: string = TENANT, laterMs = 60_000) => {
      nowMs += laterMs;
      return signHeadWhenDue(db, tenant, { directory, key, now: () => nowMs, ship: (head) => shipped.push(head) });
    },
  };
}

/** Adds that many audit rows. */
export async function givenRows(db: Db, rows: number, tenant: string = TENANT): Promise<void> {
  await db.transaction(async (tx) => {
    for (let n = 0; n < rows; n += 1) {
      await record(tx, {
        tenant,
        actor: "ana",
        code: "kyc.decide",
        outcome: "DONE",
        object: `kyc:${n}`,
        detail: { n },
      });
    }
  });
}

/** The acts of the database's owner, whom none of our guards stops. */
export async function tamper(db: Db, ...statements: string[]): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    for (const statement of statements) await tx.execute(sql.raw(statement));
  });
}

/** Renumbers and rechains all rows with the head, as if they had always been so. */
export const REWRITE = `DO $$
DECLARE event audit_event; head audit_head; n bigint := 0;
BEGIN
  FOR event IN SELECT * FROM audit_event WHERE tenant = '${TENANT}' ORDER BY seq LOOP
    n := n + 1;
    event.hash := audit_hash(event, coalesce(head.hash, ''));
    UPDATE audit_event SET hash = event.hash WHERE tenant = event.tenant AND seq = event.seq;
    head := ROW(event.tenant, event.seq, event.at, event.hash);
  END LOOP;
  UPDATE audit_head SET seq = head.seq, at = head.at, hash = head.hash WHERE tenant = head.tenant;
END;
$$`;

/**
 * Background tables and the call log, which no person writes. A password try counts in any case, as a fault elsewhere
 * must not allow more of them.
 */
const BESIDES = ["bank_call", "bank_finding", "bank_budget", "lease", "watch_state", "live_event", "sign_in_try"];
const Names = z.object({ rows: z.array(z.object({ name: z.string() })) });
const Rows = z.object({ rows: z.array(z.object({ name: z.string(), row: z.string() })) });

export type Contents = Readonly<Record<string, readonly string[]>>;

async function namesOf(db: Db): Promise<string[]> {
  const tables = await db.execute(sql`select tablename as name from pg_tables where schemaname = 'public'`);
  return Names.parse(tables)
    .rows.map(({ name }) => name)
    .filter((name) => !BESIDES.includes(name));
}

/** Every row of every table that people's writes touch, each as one text. */
export async function contentsOf(db: Db): Promise<Contents> {
  const names = await namesOf(db);
  const each = names.map(
    (name) => sql`select ${name}::text as name, kept::text as row from ${sql.identifier(name)} kept`,
  );
  const all = await db.execute(sql`${sql.join(each, sql` union all `)} order by 1, 2`);
  const stored: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (const { name, row } of Rows.parse(all).rows) stored[name]?.push(row);
  return stored;
}

/** The tables that differ from before. */
export function changedTables(before: Contents, after: Contents): string[] {
  const isSame = (name: string) => before[name]?.join("\n") === after[name]?.join("\n");
  return Object.keys(after).filter((name) => !isSame(name));
}

/** The database's error then. */
export const NO_ROOM = "NROOM";

/** The result of the work while no row can be audited. */
export async function whileRecordFails<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await db.execute(sql`create or replace function fail_record() returns trigger language plpgsql as
    $$ begin raise exception 'no room for the record' using errcode = '${sql.raw(NO_ROOM)}'; end; $$`);
  await db.execute(
    sql`create trigger fail_record before insert on audit_event for each row execute function fail_record()`,
  );
  try {
    return await work();
  } finally {
    await db.execute(sql`drop trigger fail_record on audit_event`);
  }
}
