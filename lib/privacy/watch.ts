import { watchId } from "@/lib/permission/watches";
import { db } from "@/lib/db/connection";
import type { Watch } from "@/lib/watch/watch";
import { runRetention } from "./retention";

/** Only data kept for days, not years. Makes no calls. */
export const retentionWatch: Watch = {
  name: "retention",
  intervalMs: 24 * 3_600_000,
  async sweep(tenant) {
    await runRetention(await db(), { tenant, by: watchId("retention"), isDaily: true });
  },
};
