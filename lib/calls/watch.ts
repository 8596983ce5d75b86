import { forgetOldCalls } from "@/lib/provider/call-log";
import { forgetOldFindings } from "@/lib/provider/findings";
import { db } from "@/lib/db/connection";
import type { Watch } from "@/lib/watch/watch";

/** Hourly, so that there is never much to delete. Makes no calls. */
export const callWatch: Watch = {
  name: "calls",
  intervalMs: 3_600_000,
  async sweep() {
    const store = await db();
    await forgetOldCalls(store);
    await forgetOldFindings(store);
  },
};
