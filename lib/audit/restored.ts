import { env } from "@/lib/settings/env";
import type { Db, Tx } from "@/lib/db/connection";
import { continues, readLastHead } from "./head";

/** Where the earlier heads are moved after a deliberate restore (`docs/operating.md`). */
const MOVED = "-until-restore";

/** When the newest head was signed that the record no longer contains, or null: rows from before may be missing. */
export async function restoredUntil(store: Db | Tx, tenant: string): Promise<Date | null> {
  const { auditHeadsDir } = env();
  const until: number[] = [];
  for (const directory of [auditHeadsDir, `${auditHeadsDir}${MOVED}`]) {
    const last = await readLastHead(directory, tenant);
    if (last !== null && !(await continues(store, last.head))) until.push(Date.parse(last.head.at));
  }
  return until.length === 0 ? null : new Date(Math.max(...until));
}
