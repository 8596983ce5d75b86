import { and, asc, eq, exists, gt, inArray, isNull, not, sql } from "drizzle-orm";
import { z } from "zod";
import { approval } from "@/lib/db/tables/approvals";
import type { Actor } from "@/lib/permission/grant";
import { lockByHashes } from "@/lib/db/lease";
import { kycCase, kycEvent } from "@/lib/db/tables/kyc";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { handOver } from "./assign";
import { isListWhole } from "./queue-counts";
import { freshness } from "@/lib/db/watch-state";

/** `attemptId` names one press of the button, so that a repeat claims no second case. */
export const AskingNext = z.object({ attemptId: z.uuid() });
export type AskingNext = z.output<typeof AskingNext>;

/** Null: no unassigned case waits. `isListRead`: the provider's whole list is known, and the last read succeeded. */
export type NextCase = { kycUUID: string } | { kycUUID: null; ownWaiting: number; isListRead: boolean };

const REPEAT_MINUTES = 10;

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

export const approvalOf = (tx: Tx) =>
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

/** One at a time chooses who gets which case. */
export const nextCaseLock = (tenant: string): string => `next case ${tenant}`;

const IN_TURN = and(eq(kycCase.isPutOff, false), isNull(kycCase.escalationId));

export const waitsForSomebody = (tenant: string) =>
  and(eq(kycCase.tenant, tenant), sql`${kycCase.status} = 'PENDING'`, isNull(kycCase.assigneeId), IN_TURN);

/** Nearest deadline first, then oldest; locked. Waits for a case being written, which may then be closed. */
export async function mostUrgent(tx: Tx, tenant: string): Promise<{ kycUUID: string; isGone: boolean } | null> {
  await lockByHashes(tx, `next case ${tenant}`);
  const waits = and(
    eq(kycCase.tenant, tenant),
    sql`${kycCase.status} = 'PENDING'`,
    isNull(kycCase.assigneeId),
    IN_TURN,
  );
  const [first] = await tx
    .select({ kycUUID: kycCase.kycUUID })
    .from(kycCase)
    .where(and(waits, not(exists(approvalOf(tx)))))
    .orderBy(asc(kycCase.dueAt), asc(kycCase.seq))
    .limit(1);
  if (first === undefined) return null;
  const [locked] = await tx
    .select({ kycUUID: kycCase.kycUUID })
    .from(kycCase)
    .where(and(waits, eq(kycCase.kycUUID, first.kycUUID)))
    .for("update");
  return { kycUUID: first.kycUUID, isGone: locked === undefined };
}

const countOwn = (store: Db, { tenant, id }: Actor) =>
  store.$count(
    kycCase,
    and(eq(kycCase.tenant, tenant), eq(kycCase.assigneeId, id), eq(kycCase.status, "PENDING"), IN_TURN),
  );

async function isListRead(store: Db, tenant: string): Promise<boolean> {
  const { asOf, failure } = await freshness(tenant, "kyc");
  return asOf !== null && failure === null && (await isListWhole(tenant));
}

export async function claimNext(actor: Actor<"kyc:assign">, asked: AskingNext): Promise<NextCase> {
  const { tenant, id: by } = actor;
  const { attemptId } = asked;
  const store = await db();
  const claimed = await store.transaction(async (tx) => {
    await lockByHashes(tx, `next case ${tenant} ${attemptId}`);
    const earlier = await claimedBy(tx, actor, attemptId);
    if (earlier !== null) return { kycUUID: earlier };
    const urgent = await mostUrgent(tx, tenant);
    if (urgent === null || urgent.isGone) return urgent;
    const { kycUUID } = urgent;
    const how = { event: "claimed", code: "kyc.claim", detail: { attemptId }, facts: { isNextCase: true } } as const;
    await handOver(tx, { tenant, by, kycUUID, to: by, ...how });
    return { kycUUID };
  });
  // In its own transaction: holding one case and waiting for another could deadlock with the sweep.
  if (claimed !== null && "isGone" in claimed) return claimNext(actor, asked);
  if (claimed !== null) return claimed;
  return { kycUUID: null, ownWaiting: await countOwn(store, actor), isListRead: await isListRead(store, tenant) };
}
