import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Tx } from "./store";

const Now = z.object({ rows: z.array(z.object({ now: z.coerce.date() })).min(1) });

/** Instances' clocks may differ. */
export async function storeNow(db: Db | Tx): Promise<Date> {
  const [row] = Now.parse(await db.execute(sql`select clock_timestamp() as now`)).rows;
  return row?.now ?? new Date(Number.NaN);
}

export const storeTimeBefore = (ms: number) => sql`clock_timestamp() - ${ms} * interval '1 millisecond'`;
