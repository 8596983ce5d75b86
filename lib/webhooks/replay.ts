import { and, desc, eq, isNotNull, lte, ne, not, type SQL, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import { parseJson } from "@/lib/contract/json";
import { storeNow } from "@/lib/db/clock";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { holdLock } from "@/lib/db/lock";
import { publish } from "@/lib/db/publish";
import { unseal, unsealedOrNull } from "@/lib/db/seal";
import { webhookEvent, webhookReplay, webhookReplayItem } from "@/lib/db/tables/webhooks";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { idleMinutes } from "@/lib/provider/idle-minutes";
import { claimIntent } from "@/lib/provider/intents/claim";
import { hrefWith } from "@/lib/text/page";
import { turnsOf } from "@/lib/turns";
import { triggerWatch } from "@/lib/watch/watch";
import type { ReplayScope, ReplayStart } from "./inputs";
import { matching } from "./received";
import { REPLAY_MAX, type ReplayPlan } from "./view";
import { noticeOf, readingOf } from "./watch";

type Replayer = Actor<"webhooks:replay">;

/** Its topic, its lock and its watch. */
const NAME = "replays";
const BATCH_ROWS = 500;

// Named in full: a select of one table drops the table's name from its fields.
const isBusy = sql`exists (select from ${webhookReplayItem} item where item.tenant = ${webhookEvent}.tenant
  and item.delivery_id = ${webhookEvent}.id and item.state = 'WAITING')`;

type Chosen = { fits: SQL | undefined; eligible: SQL | undefined };

async function choose(
  store: Db | Tx,
  tenant: string,
  { delivery, filter }: ReplayScope,
  upTo?: number,
): Promise<Chosen> {
  const one = and(eq(webhookEvent.tenant, tenant), delivery === undefined ? undefined : eq(webhookEvent.id, delivery));
  const all = delivery === undefined ? (await matching(store, tenant, filter)).fits : one;
  const fits = and(all, upTo === undefined ? undefined : lte(webhookEvent.seq, upTo));
  const { state, wakes } = webhookEvent;
  return { fits, eligible: and(fits, ne(state, "WAITING"), isNotNull(wakes), not(isBusy)) };
}

type Counts = Pick<ReplayPlan, "found" | "deliveries" | "waiting" | "busy" | "nothing" | "upTo">;

const counted = (wanted: SQL | undefined) => sql<number>`count(*) filter (where ${wanted})`.mapWith(Number);

async function countChosen(store: Db | Tx, { fits, eligible }: Chosen): Promise<Counts> {
  const { state, wakes, seq } = webhookEvent;
  const [counts] = await store
    .select({
      found: sql<number>`count(*)`.mapWith(Number),
      deliveries: counted(eligible),
      waiting: counted(eq(state, "WAITING")),
      nothing: counted(and(ne(state, "WAITING"), sql`${wakes} is null`)),
      busy: counted(and(ne(state, "WAITING"), isNotNull(wakes), isBusy)),
      upTo: sql<number>`coalesce(max(${seq}), 0)`.mapWith(Number),
    })
    .from(webhookEvent)
    .where(fits);
  return counts ?? { found: 0, deliveries: 0, waiting: 0, nothing: 0, busy: 0, upTo: 0 };
}

type Cost = Pick<ReplayPlan, "objects" | "calls" | "minutes">;

/** Deliveries about the same share one read; what a sweep reads costs once, however many deliveries hurry it. */
async function costOf(store: Db | Tx, tenant: string, eligible: SQL | undefined): Promise<Cost> {
  const { id, event, hintKey, bodySealed, seq } = webhookEvent;
  const newest = await store
    .selectDistinctOn([hintKey], { id, event, bodySealed })
    .from(webhookEvent)
    .where(eligible)
    .orderBy(hintKey, desc(seq));
  const sweeps = new Map<string, number>();
  let calls = 0;
  for (const one of newest) {
    const place = { column: "webhook_event.body_sealed", row: [tenant, one.id] } as const;
    const body = unsealedOrNull(() => unseal(one.bodySealed, place));
    const notice = body === null ? null : noticeOf(one.event, parseJson(body));
    if (notice === null) continue;
    const reading = await readingOf(store, tenant, notice);
    if (reading.sweep === null) calls += reading.calls;
    else sweeps.set(reading.sweep, reading.calls);
  }
  for (const swept of sweeps.values()) calls += swept;
  return { objects: newest.length, calls, minutes: idleMinutes(calls) };
}

async function planOf(store: Db | Tx, tenant: string, chosen: Chosen): Promise<ReplayPlan> {
  const counts = await countChosen(store, chosen);
  const isTooLarge = counts.deliveries > REPLAY_MAX;
  const cost = isTooLarge ? { objects: 0, calls: 0, minutes: 0 } : await costOf(store, tenant, chosen.eligible);
  return { ...counts, ...cost, isTooLarge };
}

/** A plan opens thousands of bodies, so they run one after the other. */
const inTurn = turnsOf(1);

/** What looking again would read, and the least that it costs. The provider is asked nothing. */
export async function planReplay({ tenant }: Replayer, scope: ReplayScope): Promise<ReplayPlan> {
  const store = await db();
  return inTurn(tenant, async () => planOf(store, tenant, await choose(store, tenant, scope)));
}

const whatOf = ({ delivery, filter }: ReplayScope): string => {
  const { before: _, after: __, ...asked } = filter;
  return delivery ?? hrefWith("", asked);
};

function refuseImpossible({ deliveries, busy, isTooLarge }: ReplayPlan): void {
  if (isTooLarge) throw new AppError("conflict", { code: "replay-large" });
  if (deliveries === 0) throw new AppError("conflict", { code: busy > 0 ? "replay-running" : "replay-nothing" });
}

/** Once by its id; a delivery that waits in another replay is no part of it. Throws conflict when none is left. */
export async function startReplay(actor: Replayer, { id, upTo, ...scope }: ReplayStart): Promise<{ id: string }> {
  const { tenant, id: staffId } = actor;
  const store = await db();
  const filter = whatOf(scope);
  const start = async (tx: Tx) => {
    const bytes = JSON.stringify([filter, upTo]);
    await claimIntent(tx, { tenant, id, kind: "webhooks.replay", actor: staffId, bytes, isProposed: false });
    await holdLock(tx, `${tenant} ${NAME}`);
    if ((await tx.$count(webhookReplay, isReplay(tenant, id))) > 0) return;
    const chosen = await choose(tx, tenant, scope, upTo);
    const plan = await planOf(tx, tenant, chosen);
    refuseImpossible(plan);
    const { deliveries, calls: plannedCalls, minutes: plannedMinutes } = plan;
    const askedAt = await storeNow(tx);
    const planned = { deliveries, plannedCalls, plannedMinutes };
    await tx.insert(webhookReplay).values({ tenant, id, staffId, createdAt: askedAt, filter, ...planned });
    await addItems(tx, { tenant, replayId: id, askedAt }, chosen);
    await publish(tx, { tenant, topic: "webhooks" });
    const detail = { replayId: id, filter, ...planned };
    await record(tx, { tenant, actor: staffId, code: "webhooks.replay", outcome: "DONE", detail });
  };
  await inTurn(tenant, () => store.transaction(start));
  await triggerWatch(tenant, NAME);
  return { id };
}

const isReplay = (tenant: string, id: string) => and(eq(webhookReplay.tenant, tenant), eq(webhookReplay.id, id));

type Item = { tenant: string; replayId: string; askedAt: Date };

async function addItems(tx: Tx, item: Item, { eligible }: Chosen): Promise<void> {
  const rows = await tx
    .select({ deliveryId: webhookEvent.id, hintKey: sql<string>`coalesce(${webhookEvent.hintKey}, '')` })
    .from(webhookEvent)
    .where(eligible)
    .orderBy(webhookEvent.seq);
  const items = rows.map((one) => ({ ...one, ...item, nextTryAt: item.askedAt }));
  for (let at = 0; at < items.length; at += BATCH_ROWS)
    await tx.insert(webhookReplayItem).values(items.slice(at, at + BATCH_ROWS));
}

/** Anybody who may start one may stop it; what was read stays read. Throws not-found once it ended. */
export async function stopReplay({ tenant, id: staffId }: Replayer, { id }: { id: string }): Promise<null> {
  const store = await db();
  await store.transaction(async (tx) => {
    const stoppedNow = { state: "STOPPED", finishedAt: await storeNow(tx) } as const;
    const [stopped] = await tx
      .update(webhookReplay)
      .set({ ...stoppedNow, stoppedBy: staffId })
      .where(and(isReplay(tenant, id), eq(webhookReplay.state, "RUNNING")))
      .returning({ id: webhookReplay.id });
    if (stopped === undefined) throw new AppError("not-found");
    const isLeft = and(
      eq(webhookReplayItem.tenant, tenant),
      eq(webhookReplayItem.replayId, id),
      eq(webhookReplayItem.state, "WAITING"),
    );
    const left = await tx
      .update(webhookReplayItem)
      .set({ state: "STOPPED" })
      .where(isLeft)
      .returning({ one: sql`1` });
    await publish(tx, { tenant, topic: "webhooks" });
    const detail = { replayId: id, left: left.length };
    await record(tx, { tenant, actor: staffId, code: "webhooks.replay-stop", outcome: "DONE", detail });
  });
  return null;
}
