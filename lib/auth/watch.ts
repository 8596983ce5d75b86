import { db } from "@/lib/store/store";
import type { Watch } from "@/lib/process/watch";
import { endTimedOut } from "./sessions";

/** An idle session opens nothing from its last minute on, whether swept or not: this puts its end on record. */
export const sessionWatch: Watch = {
  name: "sessions",
  intervalMs: 60_000,
  sweep: async (tenant) => endTimedOut(await db(), tenant),
};
