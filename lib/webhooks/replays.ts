import { alias } from "drizzle-orm/pg-core";
import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "@/lib/db/connection";
import { db } from "@/lib/db/connection";
import type { ReplayItemState } from "@/lib/db/enums/webhooks";
import { staff } from "@/lib/db/tables/staff";
import { webhookReplay, webhookReplayItem } from "@/lib/db/tables/webhooks";
import type { ErrorKind } from "@/lib/errors/result";
import type { ReplayRow } from "./view";

const LISTED_MAX = 100;

const iso = (at: Date | null) => at?.toISOString() ?? null;

const inState = (state: ReplayItemState) =>
  sql<number>`count(*) filter (where ${webhookReplayItem.state} = ${state})`.mapWith(Number);

type Progress = Pick<ReplayRow, "counts" | "failure">;
const NONE: Progress = { counts: { WAITING: 0, DONE: 0, FAILED: 0, STOPPED: 0 }, failure: null };

async function progressOf(store: Db, tenant: string, ids: readonly string[]): Promise<Map<string, Progress>> {
  const { replayId, state, failure, nextTryAt } = webhookReplayItem;
  const rows = await store
    .select({
      replayId,
      WAITING: inState("WAITING"),
      DONE: inState("DONE"),
      FAILED: inState("FAILED"),
      STOPPED: inState("STOPPED"),
      failure: sql<ErrorKind | null>`(array_agg(${failure} order by ${nextTryAt} desc)
        filter (where ${state} = 'WAITING' and ${failure} is not null))[1]`,
    })
    .from(webhookReplayItem)
    .where(and(eq(webhookReplayItem.tenant, tenant), inArray(replayId, [...ids])))
    .groupBy(replayId);
  return new Map(rows.map(({ replayId: id, failure: last, ...counts }) => [id, { counts, failure: last }]));
}

export type ReplayList = { rows: ReplayRow[]; asOf: string; isStale: false; failure: null };

export async function readReplays(tenant: string): Promise<ReplayList> {
  const store = await db();
  const asOf = new Date().toISOString();
  const stopper = alias(staff, "stopper");
  const found = await store
    .select({ replay: webhookReplay, byName: staff.name, stoppedByName: stopper.name })
    .from(webhookReplay)
    .innerJoin(staff, eq(staff.id, webhookReplay.staffId))
    .leftJoin(stopper, eq(stopper.id, webhookReplay.stoppedBy))
    .where(eq(webhookReplay.tenant, tenant))
    .orderBy(desc(webhookReplay.createdAt), desc(webhookReplay.id))
    .limit(LISTED_MAX);
  const progress = await progressOf(
    store,
    tenant,
    found.map(({ replay }) => replay.id),
  );
  const rows = found.map(({ replay, byName, stoppedByName }): ReplayRow => {
    const { id, state, createdAt, finishedAt, filter, deliveries, plannedCalls, plannedMinutes } = replay;
    const times = { createdAt: createdAt.toISOString(), finishedAt: iso(finishedAt) };
    const planned = { filter, deliveries, plannedCalls, plannedMinutes };
    return { id, state, byName, stoppedByName, ...times, ...planned, ...(progress.get(id) ?? NONE) };
  });
  return { rows, asOf, isStale: false, failure: null };
}

/** How many deliveries wait in replays. */
export async function countReplaying(store: Db, tenant: string): Promise<number> {
  const isWaiting = and(eq(webhookReplayItem.tenant, tenant), eq(webhookReplayItem.state, "WAITING"));
  return store.$count(webhookReplayItem, isWaiting);
}

export type DeliveryReplay = {
  replayId: string;
  byName: string;
  at: string;
  state: ReplayItemState;
  doneAt: string | null;
  failure: ErrorKind | null;
};

/** Newest first. */
export async function listReplaysOf(store: Db, tenant: string, deliveryId: string): Promise<DeliveryReplay[]> {
  const { replayId, askedAt, state, doneAt, failure } = webhookReplayItem;
  const isOf = and(eq(webhookReplayItem.tenant, tenant), eq(webhookReplayItem.deliveryId, deliveryId));
  const found = await store
    .select({ replayId, byName: staff.name, askedAt, state, doneAt, failure })
    .from(webhookReplayItem)
    .innerJoin(webhookReplay, and(eq(webhookReplay.tenant, tenant), eq(webhookReplay.id, replayId)))
    .innerJoin(staff, eq(staff.id, webhookReplay.staffId))
    .where(isOf)
    .orderBy(desc(askedAt))
    .limit(LISTED_MAX);
  return found.map(({ askedAt: at, doneAt: done, ...one }) => ({ ...one, at: at.toISOString(), doneAt: iso(done) }));
}
