import { isStoreOpen } from "@/lib/health/database";

/** Longer than an ordinary transaction holds the embedded store's one connection. */
const ALIVE_WITHIN_MS = 5_000;

async function healthWithin(withinMs?: number): Promise<Response> {
  return (await isStoreOpen(withinMs))
    ? Response.json({ status: "ok" })
    : Response.json({ status: "store unavailable" }, { status: 503 });
}

export const readiness = (): Promise<Response> => healthWithin();

export const liveness = (): Promise<Response> => healthWithin(ALIVE_WITHIN_MS);
