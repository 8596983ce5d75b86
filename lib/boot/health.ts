import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { db } from "@/lib/db/connection";

const ANSWERED_WITHIN_MS = 1_500;

export async function isStoreOpen(): Promise<boolean> {
  const asked = db()
    .then((open) => open.execute(sql`select 1`))
    .then(
      () => true,
      () => false,
    );
  return Promise.race([asked, sleep(ANSWERED_WITHIN_MS, false, { ref: false })]);
}

export async function readiness(): Promise<Response> {
  return (await isStoreOpen())
    ? Response.json({ status: "ok" })
    : Response.json({ status: "store unavailable" }, { status: 503 });
}
