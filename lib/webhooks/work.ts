import { and, eq, lt, lte, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { BankError, isProviderTrouble } from "@/lib/bank/error";
import { parseJson } from "@/lib/contract/json";
import { publish } from "@/lib/live/publish";
import { log } from "@/lib/log";
import type { ErrorKind } from "@/lib/result";
import { storeNow, storeTimeBefore } from "@/lib/store/clock";
import { withoutParameters } from "@/lib/store/error";
import { unseal } from "@/lib/store/seal";
import type { Db } from "@/lib/store/store";
import { recall, remember } from "@/lib/store/watch-state";
import { hintOf } from "./hint";
import type { Heeding, Looked, Spend } from "./look";
import { webhookEvent } from "./schema";

/** What all hints of a tenant together may cost in a minute: a sixth of what the provider lets pass. */
const MOST_CALLS_A_MINUTE = 30;
const MINUTE_MS = 60_000;
/** Different hints of one sweep. */
const MOST_HINTS = 50;
/** The same is not looked at again for so long, however many events are about it. */
export const REST_MS = 10_000;
const TRY_AGAIN_MS = 30_000;
/** After that the rounds that look at everything anyway have long passed by. */
const GIVE_UP_MS = 3_600_000;

/** What one sweep leaves to the next: what was spent, and since when. */
const Memory = z
  .object({ since: z.coerce.date(), spent: z.int().min(0) })
  .catch(() => ({ since: new Date(0), spent: 0 }));

type Work = { store: Db; tenant: string; look: (heeding: Heeding) => Promise<Looked> };

/** All that wait for one and the same look, up to the newest of them. */
type Group = { key: string; id: string; lastSeq: number; since: Date };

const Groups = z.object({
  rows: z.array(
    z
      .object({ key: z.string(), id: z.string(), last_seq: z.coerce.number(), since: z.coerce.date() })
      .transform(({ last_seq: lastSeq, ...rest }): Group => ({ ...rest, lastSeq })),
  ),
});

// Since when a hint holds is rounded up: what the store knows to the microsecond, we know to the millisecond.

/** What waits, the longest waiting first; what was looked at a moment ago rests. */
async function dueGroups({ store, tenant }: Work): Promise<Group[]> {
  const found = await store.execute(sql`
    select waiting.hint_key as key, (array_agg(waiting.id order by waiting.seq desc))[1] as id,
      max(waiting.seq) as last_seq, 
      date_trunc('milliseconds', max(waiting.received_at)) + interval '1 millisecond' as since
    from ${webhookEvent} waiting
    where waiting.tenant = ${tenant} and waiting.state = 'WAITING' and waiting.next_try_at <= clock_timestamp()
      and not exists (
        select 1 from ${webhookEvent} seen
        where seen.tenant = waiting.tenant and seen.hint_key = waiting.hint_key
          and seen.done_at > ${storeTimeBefore(REST_MS)})
    group by waiting.hint_key order by min(waiting.seq) limit ${MOST_HINTS}`);
  return Groups.parse(found).rows;
}

const isWaiting = (tenant: string) => and(eq(webhookEvent.tenant, tenant), eq(webhookEvent.state, "WAITING"));

const ofGroup = (tenant: string, { key, lastSeq }: Group) =>
  and(isWaiting(tenant), eq(webhookEvent.hintKey, key), lte(webhookEvent.seq, lastSeq));

async function readHint({ store, tenant }: Work, { id }: Group) {
  const { event, bodySealed } = webhookEvent;
  const isIt = and(eq(webhookEvent.tenant, tenant), eq(webhookEvent.id, id));
  const [row] = await store.select({ event, bodySealed }).from(webhookEvent).where(isIt);
  if (row === undefined) return null;
  const body = unseal(row.bodySealed, { column: "webhook_event.body_sealed", row: [tenant, id] });
  return hintOf(row.event, parseJson(body));
}

type Moments = { nextTryAt: SQL; doneAt?: SQL };

const doneNow = { doneAt: sql`clock_timestamp()`, nextTryAt: sql`clock_timestamp()` };

type Change = Partial<Pick<typeof webhookEvent.$inferInsert, "state" | "object" | "failure">>;

/** Notes what became of them, and tells open screens. */
async function note(
  { store, tenant }: Work,
  group: Group,
  { at, change }: { at: Moments; change: Change },
): Promise<void> {
  await store.transaction(async (tx) => {
    await tx
      .update(webhookEvent)
      .set({ ...change, ...at })
      .where(ofGroup(tenant, group));
    await publish(tx, { tenant, topic: "webhooks" });
  });
}

/** The provider as a whole is troubled: it is tried again. It will not answer this: it is given up. */
const noteFailure = (work: Work, group: Group, failure: ErrorKind): Promise<void> =>
  isProviderTrouble(failure)
    ? note(work, group, { at: { nextTryAt: storeTimeBefore(-TRY_AGAIN_MS) }, change: { failure } })
    : note(work, group, { at: doneNow, change: { failure, state: "GIVEN_UP" } });

async function lookAt(work: Work, group: Group, spend: Spend): Promise<Looked> {
  const hint = await readHint(work, group);
  return hint === null ? { isDone: true, object: null } : work.look({ hint, since: group.since, spend });
}

/** What is wrong with one must not hold up the others. */
function failureOf({ tenant }: Work, reason: unknown): ErrorKind {
  if (reason instanceof BankError) return reason.kind;
  log.error({ watch: "webhooks", tenant, err: withoutParameters(reason) }, "an event could not be heeded");
  return "malformed";
}

/** Returns whether the next one may be tried. */
async function workOffOne(work: Work, group: Group, spend: Spend): Promise<boolean> {
  const [looked] = await Promise.allSettled([lookAt(work, group, spend)]);
  if (looked.status === "rejected") {
    const failure = failureOf(work, looked.reason);
    await noteFailure(work, group, failure);
    return !isProviderTrouble(failure);
  }
  if (looked.value.isDone) {
    const change = { state: "DONE" as const, object: looked.value.object, failure: null };
    await note(work, group, { at: doneNow, change });
  }
  return true;
}

async function giveUpOld({ store, tenant }: Work): Promise<void> {
  const given = {
    state: "GIVEN_UP" as const,
    failure: sql`coalesce(${webhookEvent.failure}, 'unavailable')`,
    ...doneNow,
  };
  const isOld = lt(webhookEvent.receivedAt, storeTimeBefore(GIVE_UP_MS));
  await store
    .update(webhookEvent)
    .set(given)
    .where(and(isWaiting(tenant), isOld));
}

/**
 * Works off what waits: one look for all events that are about the same, within what hints may cost, each noted as soon as it
 * is done. A process that dies in between leaves the rest waiting, and at worst something looked at twice.
 */
export async function workOff(work: Work): Promise<void> {
  const { store, tenant } = work;
  const key = { tenant, name: "webhooks" };
  const memory = Memory.parse(await recall(store, key));
  const now = await storeNow(store);
  const isOver = now.getTime() - memory.since.getTime() >= MINUTE_MS;
  const window = isOver ? { since: now, spent: 0 } : memory;
  const spend: Spend = (calls) => {
    if (window.spent + calls > MOST_CALLS_A_MINUTE) return false;
    window.spent += calls;
    return true;
  };
  await giveUpOld(work);
  const groups = await dueGroups(work);
  for (const group of groups) if (!(await workOffOne(work, group, spend))) break;
  await remember(store, key, window);
}
