import { and, asc, eq, exists, gt, inArray, isNull, not, sql } from "drizzle-orm";
import { z } from "zod";
import { approval } from "@/lib/approvals/schema";
import type { Actor } from "@/lib/auth/grant";
import { lockByHashes } from "@/lib/store/lease";
import { kycCase } from "@/lib/store/schema";
import { type Db, db, type Tx } from "@/lib/store/store";
import { freshness } from "@/lib/process/watch";
import { handOver } from "./assign";
import { kycEvent } from "./schema";
import { isListWhole } from "./sweep";

/** `attemptId` names one press of the button: sent twice, it claims one case. */
export const AskingNext = z.object({ attemptId: z.uuid() });
export type AskingNext = z.output<typeof AskingNext>;

/**
 * Null: nothing waits that nobody has, as far as we read; `ownWaiting` is how many of the person's own still do, `isListRead`
 * whether the provider's whole list was read, and at the last try too.
 */
export type NextCase = { kycUUID: string } | { kycUUID: null; ownWaiting: number; isListRead: boolean };

const REPEAT_MINUTES = 10;

/** What this very attempt claimed, when its answer was lost and it is made again. */
async function claimedBy(tx: Tx, { tenant, id }: Actor, attemptId: string): Promise<string | null> {
  const [row] = await tx
    .select({ kycUUID: kycEvent.kycUUID })
    .from(kycEvent)
    .where(
      and(
        eq(kycEvent.tenant, tenant),
        eq(kycEvent.kind, "claimed"),
        eq(kycEvent.actor, id),
        gt(kycEvent.at, sql`clock_timestamp() - ${REPEAT_MINUTES} * interval '1 minute'`),
        sql`${kycEvent.detail} ->> 'attemptId' = ${attemptId}`,
      ),
    );
  return row?.kycUUID ?? null;
}

/** A decision about it waits for a second person: no other one can be made. */
const proposalOf = (tx: Tx) =>
  tx
    .select({ id: approval.id })
    .from(approval)
    .where(
      and(
        eq(approval.tenant, kycCase.tenant),
        eq(approval.object, sql`'kyc:' || ${kycCase.kycUUID}`),
        inArray(approval.state, ["PENDING", "AUTHORISED"]),
      ),
    );

/**
 * The waiting case of nobody's that is due first, so the latest before all others; of those alike the one that came first.
 * One that a colleague is taking at this very moment is passed over.
 */
export async function mostUrgent(tx: Tx, tenant: string): Promise<string | null> {
  const waits = and(eq(kycCase.tenant, tenant), sql`${kycCase.status} = 'PENDING'`, isNull(kycCase.assigneeId));
  const [found] = await tx
    .select({ kycUUID: kycCase.kycUUID })
    .from(kycCase)
    .where(and(waits, not(exists(proposalOf(tx)))))
    .orderBy(asc(kycCase.dueAt), asc(kycCase.seq))
    .limit(1)
    .for("update", { skipLocked: true });
  return found?.kycUUID ?? null;
}

const countOwn = (store: Db, { tenant, id }: Actor) =>
  store.$count(kycCase, and(eq(kycCase.tenant, tenant), eq(kycCase.assigneeId, id), eq(kycCase.status, "PENDING")));

async function isListRead(store: Db, tenant: string): Promise<boolean> {
  const { asOf, failure } = await freshness(tenant, "kyc");
  return asOf !== null && failure === null && (await isListWhole(store, tenant));
}

/** Claims the most urgent case that nobody has. Two people who ask at once never get the same one. */
export async function claimNext(actor: Actor<"kyc:assign">, { attemptId }: AskingNext): Promise<NextCase> {
  const { tenant, id: by } = actor;
  const store = await db();
  const claimed = await store.transaction(async (tx) => {
    await lockByHashes(tx, `next case ${tenant} ${attemptId}`);
    const earlier = await claimedBy(tx, actor, attemptId);
    if (earlier !== null) return { kycUUID: earlier };
    const kycUUID = await mostUrgent(tx, tenant);
    if (kycUUID === null) return null;
    const how = { event: "claimed", code: "kyc.claim", detail: { attemptId }, facts: { isNextCase: true } } as const;
    await handOver(tx, { tenant, by, kycUUID, to: by, ...how });
    return { kycUUID };
  });
  if (claimed !== null) return claimed;
  return { kycUUID: null, ownWaiting: await countOwn(store, actor), isListRead: await isListRead(store, tenant) };
}
