import { storeNow } from "@/lib/db/clock";
import { db } from "@/lib/db/connection";
import { endIncident, openIncident } from "@/lib/health/incidents";
import { civilDay } from "@/lib/text/time";
import type { Watch } from "@/lib/watch/watch";
import { nextReviewOn } from "./access-review";

/** Opens an incident once the day of the next access review has passed, and ends it after the review. Makes no calls. */
export const accessReviewWatch: Watch = {
  name: "access-review",
  topic: "health",
  intervalMs: 600_000,
  async sweep(tenant) {
    await (
      await db()
    ).transaction(async (tx) => {
      const nextOn = await nextReviewOn(tx, tenant);
      const isLate = nextOn !== null && nextOn < civilDay(await storeNow(tx));
      const key = { tenant, kind: "review-late" } as const;
      await (isLate ? openIncident(tx, key) : endIncident(tx, key));
    });
  },
};
