import { forgetOldCalls } from "@/lib/bank/call-log";
import { db } from "@/lib/store/store";
import type { Watch } from "@/lib/process/watch";

/** Hourly, so that there is never much to delete. Calls nobody. */
export const callWatch: Watch = {
  name: "calls",
  intervalMs: 3_600_000,
  async sweep() {
    await forgetOldCalls(await db());
  },
};
