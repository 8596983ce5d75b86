import type { Db } from "@/lib/db/connection";
import { env } from "@/lib/settings/env";
import { MINUTE_MS } from "@/lib/text/time";
import { listIncidents } from "./incidents";
import { BOUNDS } from "./verdict";
import type { SilenceTold } from "./view";

/** Who was told by e-mail of the silence that is under way. */
export async function silenceTold(store: Db, tenant: string): Promise<SilenceTold> {
  if (env().mail === null) return { as: "off" };
  const incidents = await listIncidents(store, tenant);
  const open = incidents.find(({ kind, endedAt }) => kind === "provider-silent" && endedAt === null);
  if (open === undefined) return { as: "later", minutes: BOUNDS.provider.failingMs / MINUTE_MS };
  if (open.mailed > 0) return { as: "sent", count: open.mailed };
  return { as: open.waiting > 0 ? "waiting" : "none" };
}
