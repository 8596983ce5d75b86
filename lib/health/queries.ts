import { db } from "@/lib/db/connection";
import { LANES } from "@/lib/db/enums/provider";
import { query } from "@/lib/query";
import { env } from "@/lib/settings/env";
import { listIncidents } from "./incidents";
import { readHealth } from "./read";
import { BOUNDS, judge } from "./verdict";
import type { Health } from "./view";

/** Every part with its verdict, and the incidents that are open or ended lately. Asks the provider nothing. */
export const getHealth = query("health:read", async ({ tenant }): Promise<Health> => {
  const store = await db();
  const { reading, lanes } = await readHealth(store, tenant);
  const incidents = await listIncidents(store, tenant);
  return {
    reading,
    judged: judge(reading),
    silentLanes: LANES.filter((lane) => lanes[lane].isOpen),
    open: incidents.filter(({ endedAt }) => endedAt === null),
    past: incidents.filter(({ endedAt }) => endedAt !== null),
    hasMailServer: env().mail !== null,
    calmMs: BOUNDS.calmMs,
    silenceMs: BOUNDS.provider.failingMs,
  };
});
