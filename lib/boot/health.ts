import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { db } from "@/lib/db/connection";

const READY_WITHIN_MS = 1_500;
/** Longer than an ordinary transaction holds the embedded store's one connection. */
const ALIVE_WITHIN_MS = 5_000;

export async function isStoreOpen(withinMs = READY_WITHIN_MS): Promise<boolean> {
  const asked = db()
    .then((open) => open.execute(sql`select 1`))
    .then(
      () => true,
      () => false,
    );
  return Promise.race([asked, sleep(withinMs, false, { ref: false })]);
}

async function healthWithin(withinMs: number): Promise<Response> {
  return (await isStoreOpen(withinMs))
    ? Response.json({ status: "ok" })
    : Response.json({ status: "store unavailable" }, { status: 503 });
}

export const readiness = (): Promise<Response> => healthWithin(READY_WITHIN_MS);

export const liveness = (): Promise<Response> => healthWithin(ALIVE_WITHIN_MS);
