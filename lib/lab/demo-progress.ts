import type { Db } from "@/lib/db/connection";
import { recall, remember } from "@/lib/db/watch-state";
import { env } from "@/lib/settings/env";

export const DEMO_WATCH = "demo";

const WHOLE = { isWhole: true };

const keyOf = (tenant: string) => ({ tenant, name: DEMO_WATCH });

export const demoIsMade = (store: Db, tenant: string): Promise<void> => remember(store, keyOf(tenant), WHOLE);

/** Whether lists may still be without what the demo's people do. */
export async function isDemoBeingMade(store: Db, tenant: string): Promise<boolean> {
  return env().hasDemoActivity && (await recall(store, keyOf(tenant))) === null;
}
