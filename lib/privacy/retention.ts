import { and, eq, type SQL, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { RetentionClassName } from "@/lib/retention-class";
import type { Db, Tx } from "@/lib/store/store";
import { isShort, type Part, RETENTION_CLASSES, type RetentionClass } from "./retention-classes";

const BATCH = 1_000;


export type ClassState = {
  name: RetentionClassName;
  /** Null: kept for good. */
  days: number | null;
  /** It goes by itself, once a day. */
  isShort: boolean;
  /** Rows that the next run would take. */
  due: number;
};

const isDueAt = (tenant: string, { table, isDue }: Part, days: number) => and(eq(table.tenant, tenant), isDue(days));

async function countDue(db: Db, tenant: string, { days, parts }: RetentionClass): Promise<number> {
  const kept = days();
  if (kept === null) return 0;
  let due = 0;
  for (const part of parts) due += await db.$count(part.table, isDueAt(tenant, part, kept));
  return due;
}

/** What is kept at a tenant, for how long, and how much of it a run would take now. Changes nothing. */
export async function readRetention(db: Db, tenant: string): Promise<ClassState[]> {
  const states: ClassState[] = [];
  for (const one of RETENTION_CLASSES) {
    const due = await countDue(db, tenant, one);
    states.push({ name: one.name, days: one.days(), isShort: isShort(one), due });
  }
  return states;
}

async function takeBatch(tx: Tx, { table, emptied }: Part, isDue: SQL | undefined): Promise<number> {
  // No name of a row that all tables share: where it stands does, within one statement.
  const batch = sql`ctid = any(array(select ctid from ${table} where ${isDue} limit ${BATCH} for update skip locked))`;
  const taken =
    emptied === undefined
      ? await tx
          .delete(table)
          .where(batch)
          .returning({ one: sql`1` })
      : await tx
          .update(table)
          .set(emptied)
          .where(batch)
          .returning({ one: sql`1` });
  return taken.length;
}

type Run = { tenant: string; by: string };

/** Takes one class away, batch by batch, each on record with it; returns how many rows that were. */
async function runClass(db: Db, { tenant, by }: Run, { name, days, parts }: RetentionClass): Promise<number> {
  const kept = days();
  if (kept === null) return 0;
  let rows = 0;
  for (const part of parts) {
    let taken: number;
    do {
      taken = await db.transaction(async (tx) => {
        const batch = await takeBatch(tx, part, isDueAt(tenant, part, kept));
        const detail = { class: name, days: kept, rows: batch };
        if (batch > 0) await record(tx, { tenant, actor: by, code: "retention.run", outcome: "DONE", detail });
        return batch;
      });
      rows += taken;
    } while (taken === BATCH);
  }
  return rows;
}

/** Takes away what is kept no longer at a tenant; `isDaily`: only what goes by itself. Returns the rows by class. */
export async function runRetention(
  db: Db,
  run: Run & { isDaily: boolean },
): Promise<{ name: RetentionClassName; rows: number }[]> {
  const taken: { name: RetentionClassName; rows: number }[] = [];
  for (const one of RETENTION_CLASSES) {
    if (run.isDaily && !isShort(one)) continue;
    taken.push({ name: one.name, rows: await runClass(db, run, one) });
  }
  return taken;
}
