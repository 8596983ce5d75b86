import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { db } from "@/lib/store/store";

/** Who asks waits for two seconds at most, whatever happens. */
const ANSWERED_WITHIN_MS = 1_500;

/** Whether the store answers a query now; one that is silent does not. */
export async function isStoreOpen(): Promise<boolean> {
  const asked = db()
    .then((open) => open.execute(sql`select 1`))
    .then(
      () => true,
      () => false,
    );
  return Promise.race([asked, sleep(ANSWERED_WITHIN_MS, false, { ref: false })]);
}

/** 200 once the store answers, 503 while it does not; says nothing else. */
export async function readiness(): Promise<Response> {
  return (await isStoreOpen())
    ? Response.json({ status: "ok" })
    : Response.json({ status: "store unavailable" }, { status: 503 });
}
