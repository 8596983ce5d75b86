import { and, eq, inArray, isNull } from "drizzle-orm";
import { publishAll } from "@/lib/live/publish";
import { kycCase } from "@/lib/store/schema";
import type { Tx } from "@/lib/store/store";
import { noteEvents } from "./events";

const MOST_AT_ONCE = 1_000;

type Leaving = {
  tenant: string;
  /** Whose open cases go back to the queue. */
  holder: string;
  /** Staff id; null: nobody's doing. */
  by: string | null;
};

async function releaseSome(tx: Tx, { tenant, holder, by }: Leaving): Promise<number> {
  const some = tx
    .select({ kycUUID: kycCase.kycUUID })
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), eq(kycCase.assigneeId, holder), isNull(kycCase.decidedAt)))
    .limit(MOST_AT_ONCE)
    .for("update");
  const released = await tx
    .update(kycCase)
    .set({ assigneeId: null, assignedAt: null })
    .where(and(eq(kycCase.tenant, tenant), inArray(kycCase.kycUUID, some)))
    .returning({ kycUUID: kycCase.kycUUID });
  const objects = released.map(({ kycUUID }) => kycUUID);
  const what = { tenant, kind: "released", actor: by, detail: { from: holder } } as const;
  await noteEvents(
    tx,
    objects.map((kycUUID) => ({ ...what, kycUUID })),
  );
  await publishAll(tx, { tenant, topic: "kyc", objects });
  return objects.length;
}

/** Gives all open cases of somebody back to the queue; what they decided stays theirs. How many that were. */
export async function releaseAllOf(tx: Tx, leaving: Leaving): Promise<number> {
  let released = 0;
  for (;;) {
    const some = await releaseSome(tx, leaving);
    released += some;
    if (some < MOST_AT_ONCE) return released;
  }
}
