import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "@/lib/store/store";

/**
 * What runs by itself, and what was called: no write of a person's. A try at a password counts whatever comes of it: a fault
 * elsewhere must give nobody more of them.
 */
const BESIDES = ["bank_call", "bank_token", "bank_budget", "lease", "watch_state", "live_event", "sign_in_try"];
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

/** The tables that hold something else than before. */
export function changedTables(before: Contents, after: Contents): string[] {
  const isSame = (name: string) => before[name]?.join("\n") === after[name]?.join("\n");
  return Object.keys(after).filter((name) => !isSame(name));
}

/** What the database says then. */
export const NO_ROOM = "NROOM";

/** What comes of the work while no row can be put on record. */
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
