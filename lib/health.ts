import { sql } from "drizzle-orm";
import { db } from "@/lib/store/store";

/** Whether the store answers a query now. */
export async function isStoreOpen(): Promise<boolean> {
  const [answered] = await Promise.allSettled([db().then((open) => open.execute(sql`select 1`))]);
  return answered.status === "fulfilled";
}
