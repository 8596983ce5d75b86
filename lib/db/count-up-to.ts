import { type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { z } from "zod";
import { COUNTED_MAX } from "@/lib/text/format";
import type { Db } from "./connection";

const Counted = z.object({ rows: z.array(z.object({ n: z.coerce.number() })) });

/** The rows that fit, or one more than `COUNTED_MAX` where there are more than can be counted at once. */
export async function countUpTo(store: Db, table: PgTable, fits: SQL | undefined): Promise<number> {
  const found = sql`select 1 from ${table} where ${fits ?? sql`true`} limit ${COUNTED_MAX + 1}`;
  const [counted] = Counted.parse(await store.execute(sql`select count(*) as n from (${found}) as found`)).rows;
  return counted?.n ?? 0;
}
