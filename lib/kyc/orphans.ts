import { and, eq, isNull, notInArray } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import { readRoster } from "@/lib/auth/roster";
import { kycCase } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { decides } from "./assignees";
import { releaseAllOf } from "./release-all";

/** Who has open cases and decides no longer: disabled, or in other roles by now. */
async function formerDeciders(store: Db, tenant: string): Promise<string[]> {
  const former = (await readRoster(store, tenant)).filter((member) => !decides(member));
  const found: string[] = [];
  for (const { staffId } of former) {
    const [one] = await store
      .select({ kycUUID: kycCase.kycUUID })
      .from(kycCase)
      .where(
        and(
          eq(kycCase.tenant, tenant),
          eq(kycCase.assigneeId, staffId),
          notInArray(kycCase.status, ["APPROVED", "REPROVED"]),
          isNull(kycCase.decidedAt),
        ),
      )
      .limit(1);
    if (one !== undefined) found.push(staffId);
  }
  return found;
}

/** Cases must not wait for somebody who cannot decide them: they go back to the queue, and that is on record. */
export async function releaseOrphans(store: Db, { id: actor, tenant }: { id: string; tenant: string }): Promise<void> {
  for (const holder of await formerDeciders(store, tenant)) {
    await store.transaction(async (tx) => {
      const count = await releaseAllOf(tx, { tenant, holder, by: null });
      const what = { code: "kyc.release", outcome: "DONE", object: `staff:${holder}` } as const;
      if (count > 0) await record(tx, { tenant, actor, ...what, detail: { formerHolder: holder, released: count } });
    });
  }
}
