import { and, eq, inArray, lte, sql } from "drizzle-orm";
import { z } from "zod";
import { recordAll } from "@/lib/audit/record";
import { storeTimeBefore } from "@/lib/db/clock";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { withoutParameters } from "@/lib/db/error";
import { publish } from "@/lib/db/publish";
import { webhookEvent, webhookReplay, webhookReplayItem } from "@/lib/db/tables/webhooks";
import { AppError } from "@/lib/errors/app-error";
import type { ErrorKind } from "@/lib/errors/result";
import { log } from "@/lib/log/log";
import { watchId } from "@/lib/permission/watches";
import { isOfEverybody, isProviderTrouble } from "@/lib/provider/answer";
import type { Watch } from "@/lib/watch/watch";
import { actorsOf, readNotice, type Refetched, refetch } from "./watch";

const NAME = "replays";
const GROUPS_AT_ONCE = 20;
const MAX_FAILURES = 3;
/** Until a sweep that was hurried is over, and while the provider is in trouble. */
const SWEPT_SOON_MS = 3_000;
const TRY_AGAIN_MS = 30_000;

/** Deliveries about the same object; `since`: any read from then on settles those that were asked for until then. */
type Group = { tenant: string; key: string; deliveryId: string; since: Date };

const Groups = z.object({
  rows: z.array(z.object({ key: z.string(), delivery_id: z.string(), since: z.coerce.date() })),
});

async function dueGroups(store: Db, tenant: string): Promise<Group[]> {
  const found = await store.execute(sql`
    select item.hint_key as key, (array_agg(item.delivery_id order by item.seq desc))[1] as delivery_id,
      date_trunc('milliseconds', max(item.asked_at)) + interval '1 millisecond' as since
    from ${webhookReplayItem} item
    where item.tenant = ${tenant} and item.state = 'WAITING' and item.next_try_at <= clock_timestamp()
    group by item.hint_key order by min(item.seq) limit ${GROUPS_AT_ONCE}`);
  return Groups.parse(found).rows.map(({ key, delivery_id: deliveryId, since }) => ({
    tenant,
    key,
    deliveryId,
    since,
  }));
}

const ofGroup = ({ tenant, key, since }: Group) =>
  and(
    eq(webhookReplayItem.tenant, tenant),
    eq(webhookReplayItem.hintKey, key),
    eq(webhookReplayItem.state, "WAITING"),
    lte(webhookReplayItem.askedAt, since),
  );

type Outcome = { state: "DONE"; object: string | null } | { state: "FAILED"; failure: ErrorKind };

async function endFinished(tx: Tx, tenant: string, replayIds: readonly string[]): Promise<void> {
  const isIt = and(eq(webhookReplay.tenant, tenant), inArray(webhookReplay.id, [...replayIds]));
  const ended = await tx
    .update(webhookReplay)
    .set({ state: "DONE", finishedAt: sql`clock_timestamp()` })
    .where(
      and(
        isIt,
        eq(webhookReplay.state, "RUNNING"),
        sql`not exists (select from ${webhookReplayItem} where ${webhookReplayItem.tenant} = ${webhookReplay.tenant}
          and ${webhookReplayItem.replayId} = ${webhookReplay.id} and ${webhookReplayItem.state} = 'WAITING')`,
      ),
    )
    .returning({ id: webhookReplay.id, deliveries: webhookReplay.deliveries });
  const isFailed = and(
    eq(webhookReplayItem.tenant, tenant),
    inArray(
      webhookReplayItem.replayId,
      ended.map(({ id }) => id),
    ),
    eq(webhookReplayItem.state, "FAILED"),
  );
  const failed = await tx.select({ replayId: webhookReplayItem.replayId }).from(webhookReplayItem).where(isFailed);
  const entries = ended.map(({ id: replayId, deliveries }) => ({
    tenant,
    actor: watchId(NAME),
    code: "webhooks.replay-finish" as const,
    outcome: "DONE" as const,
    detail: { replayId, deliveries, failed: failed.filter((item) => item.replayId === replayId).length },
  }));
  await recordAll(tx, entries);
}

/** A replay is locked before its deliveries, as whoever stops it does. */
async function holdReplays(tx: Tx, group: Group): Promise<void> {
  const ids = tx.select({ id: webhookReplayItem.replayId }).from(webhookReplayItem).where(ofGroup(group));
  const { id, tenant } = webhookReplay;
  await tx
    .select({ id })
    .from(webhookReplay)
    .where(and(eq(tenant, group.tenant), inArray(id, ids)))
    .orderBy(id)
    .for("update");
}

/** The deliveries, their replays and the record in one transaction. A stopped one keeps what it was. */
async function settle(store: Db, group: Group, outcome: Outcome): Promise<void> {
  const { tenant } = group;
  const now = sql`clock_timestamp()`;
  const failure = outcome.state === "FAILED" ? outcome.failure : null;
  await store.transaction(async (tx) => {
    await holdReplays(tx, group);
    const settled = await tx
      .update(webhookReplayItem)
      .set({ state: outcome.state, failure, doneAt: now })
      .where(ofGroup(group))
      .returning({ replayId: webhookReplayItem.replayId, deliveryId: webhookReplayItem.deliveryId });
    if (settled.length === 0) return;
    const isGivenUp = and(
      eq(webhookEvent.tenant, tenant),
      inArray(
        webhookEvent.id,
        settled.map(({ deliveryId }) => deliveryId),
      ),
      eq(webhookEvent.state, "GIVEN_UP"),
    );
    const change =
      outcome.state === "DONE" ? { state: "DONE" as const, object: outcome.object, doneAt: now, failure } : { failure };
    await tx.update(webhookEvent).set(change).where(isGivenUp);
    await publish(tx, { tenant, topic: "webhooks" });
    await endFinished(tx, tenant, [...new Set(settled.map(({ replayId }) => replayId))]);
  });
}

type Later = { ms: number; failure: ErrorKind | null; isFailed: boolean };

async function putOff(store: Db, group: Group, { ms, failure, isFailed }: Later): Promise<void> {
  const failures = sql`${webhookReplayItem.failures} + ${Number(isFailed)}::int`;
  await store.transaction(async (tx) => {
    await tx
      .update(webhookReplayItem)
      .set({ nextTryAt: storeTimeBefore(-ms), failure, failures })
      .where(ofGroup(group));
    await publish(tx, { tenant: group.tenant, topic: "webhooks" });
  });
}

async function failuresOf(store: Db, group: Group): Promise<number> {
  const [row] = await store
    .select({ failures: sql<number>`coalesce(max(${webhookReplayItem.failures}), 0)`.mapWith(Number) })
    .from(webhookReplayItem)
    .where(ofGroup(group));
  return row?.failures ?? 0;
}

/** False when the provider can be asked nothing now. */
async function noteFailure(store: Db, group: Group, error: unknown): Promise<boolean> {
  const told = error instanceof AppError ? error : null;
  if (told === null) {
    const err = withoutParameters(error);
    log.error({ watch: NAME, tenant: group.tenant, err }, "a delivery could not be looked at again");
  }
  if (told !== null && isOfEverybody(told)) {
    await putOff(store, group, { ms: TRY_AGAIN_MS, failure: told.kind, isFailed: false });
    return false;
  }
  const failure = told?.kind ?? "malformed";
  const isFinal = told !== null && !isProviderTrouble(failure);
  if (isFinal || (await failuresOf(store, group)) + 1 >= MAX_FAILURES)
    await settle(store, group, { state: "FAILED", failure });
  else await putOff(store, group, { ms: TRY_AGAIN_MS, failure, isFailed: true });
  return true;
}

async function readGroup(store: Db, group: Group): Promise<Refetched> {
  const { tenant, since } = group;
  const notice = await readNotice({ store, tenant }, group.deliveryId);
  // Its delivery was deleted, or its type means nothing any more.
  if (notice === null) return { isDone: true, object: null };
  return refetch(
    { store, tenant, actors: actorsOf(NAME, tenant), isPatient: true },
    { notice, since, spend: () => true },
  );
}

/** False when the provider can be asked nothing now. */
async function replayGroup(store: Db, group: Group): Promise<boolean> {
  // Stopped meanwhile.
  if ((await store.$count(webhookReplayItem, ofGroup(group))) === 0) return true;
  const refetched = await readGroup(store, group).catch((error: unknown) => ({ error }));
  if ("error" in refetched) return noteFailure(store, group, refetched.error);
  if (refetched.isDone) await settle(store, group, { state: "DONE", object: refetched.object });
  else await putOff(store, group, { ms: SWEPT_SOON_MS, failure: null, isFailed: false });
  return true;
}

/** In order, one read for all deliveries about the same; after a restart it goes on with those that wait. */
export const replayWatch: Watch = {
  name: NAME,
  intervalMs: SWEPT_SOON_MS,
  async sweep(tenant) {
    const store = await db();
    const groups = await dueGroups(store, tenant);
    for (const group of groups) if (!(await replayGroup(store, group))) return "done";
    return groups.length === GROUPS_AT_ONCE ? "unfinished" : "done";
  },
};
