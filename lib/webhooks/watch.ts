import { watchActor } from "@/lib/auth/grant";
import { db } from "@/lib/store/store";
import type { Watch } from "@/lib/process/watch";
import { look } from "./work";
import { workOff } from "./work";

/** Each event triggers it; by itself it takes up what was left. */
export const webhookWatch: Watch = {
  name: "webhooks",
  intervalMs: 10_000,
  async sweep(tenant) {
    const store = await db();
    const actors = {
      onboarding: watchActor("webhooks", tenant, "onboarding:read"),
      wallets: watchActor("webhooks", tenant, "wallets:read"),
    };
    await workOff({ store, tenant, look: (heeding) => look({ store, tenant, actors }, heeding) });
  },
};
