import { and, eq, inArray, isNotNull, lte } from "drizzle-orm";
import { z } from "zod";
import { recordIncident } from "@/lib/audit/incident";
import { type Actor, watchActor } from "@/lib/auth/grant";
import { bank } from "@/lib/bank/bank";
import { BankError, isProviderTrouble } from "@/lib/bank/error";
import { intents } from "@/lib/bank/intent";
import { getAccounts } from "@/lib/bank/operations";
import type { OpenRecord } from "@/lib/contract/shared";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { storeNow, storeTimeBefore } from "@/lib/store/clock";
import { onboardingDocument } from "@/lib/store/document";
import { UnsealError, unsealedOrNull } from "@/lib/store/seal";
import { onboarding } from "@/lib/store/schema";
import { db } from "@/lib/store/store";
import { recall, remember } from "@/lib/store/watch-state";
import { civilDaysAgo } from "@/lib/time";
import type { Watch } from "@/lib/watch";
import { accountCreation } from "./create-kind";
import { settleRequests } from "./create-settle";
import { refreshOnboarding } from "./records";

/** Every sweep looks at these days for new ones; … */
const RECENT_DAYS = 1;
/** … now and then at these, past a provider that lists late; … */
const LOOK_BACK_DAYS = 7;
const LOOK_BACK_EVERY_MS = 10 * 60_000;
/** … and once at these, for what was there before us. */
const FIRST_LOOK_BACK_DAYS = 730;
const PAGE_LIMIT = 100;
const MOST_PAGES = 20;
/** What one sweep asks about one by one: new ones, and ones whose turn it is. The first fills an empty queue. */
const MOST_NEW = 5;
const MOST_NEW_AT_FIRST = 60;
const MOST_DUE = 10;
const RETRY_TROUBLED_AFTER_MS = 60 * 60_000;

/** What one sweep leaves to the next: how far the look back has come, when it last came to its end, and who troubles it. */
const Memory = z
  .object({
    days: z.int().min(1),
    page: z.int().min(1),
    endedAt: z.coerce.date().nullable(),
    /** New ones that could not be read: they come after the others. */
    troubled: z.array(z.string()),
  })
  .catch({ days: FIRST_LOOK_BACK_DAYS, page: 1, endedAt: null, troubled: [] });
type Memory = z.output<typeof Memory>;

const MOST_TROUBLED = 100;

type Looking = { actor: Actor; troubled: Set<string> };

type Found = { onBoardingId: string; since: Date | undefined };

const Named = z.looseObject({ onBoardingId: z.string().min(1), createdAt: z.string().optional().catch(undefined) });

/** How getAccounts answers is not shown: whatever list holds objects with an `onBoardingId` is taken as the list. */
export function findOnboardings(answer: OpenRecord): Found[] {
  const inside = z.record(z.string(), z.unknown()).safeParse(answer["data"]).data ?? {};
  const lists = [...Object.values(answer), ...Object.values(inside)].filter(Array.isArray);
  return lists.flat().flatMap((item): Found[] => {
    const { data } = Named.safeParse(item);
    if (data === undefined) return [];
    const since = new Date(data.createdAt ?? "");
    return [{ onBoardingId: data.onBoardingId, since: Number.isNaN(since.getTime()) ? undefined : since }];
  });
}

type Listing = { days: number; page: number };

async function readPage(actor: Actor, { days, page }: Listing): Promise<Found[]> {
  const period = { initialDate: civilDaysAgo(days), endDate: civilDaysAgo(0) };
  const { answer } = await bank.get(actor, getAccounts, { query: { ...period, limit: PAGE_LIMIT, page } });
  return findOnboardings(answer);
}

/** Refreshes one onboarding; its own trouble, an unknown id or an answer that is none, must not stop the others. */
async function tryRefresh(actor: Actor, asked: string, since?: Date): Promise<boolean> {
  const [tried] = await Promise.allSettled([refreshOnboarding(actor, asked, { since })]);
  if (tried.status === "fulfilled") return true;
  if (!(tried.reason instanceof BankError) || isProviderTrouble(tried.reason.kind)) throw tried.reason;
  log.warn({ watch: "onboarding", kind: tried.reason.kind, requestId: tried.reason.details.requestId }, "one not read");
  return false;
}

async function notKept(actor: Actor, found: readonly Found[]): Promise<Found[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ onBoardingId }) => onBoardingId);
  const kept = await (
    await db()
  )
    .select({ onBoardingId: onboarding.onBoardingId })
    .from(onboarding)
    .where(and(eq(onboarding.tenant, actor.tenant), inArray(onboarding.onBoardingId, ids)));
  const known = new Set(kept.map((row) => row.onBoardingId));
  return found.filter((one) => !known.has(one.onBoardingId));
}

/** Keeps the first `most` of those not kept yet; returns how many it asked about and whether that was all. */
async function keepNew({ actor, troubled }: Looking, found: readonly Found[], most: number) {
  const unseen = await notKept(actor, found);
  const isTroubled = ({ onBoardingId }: Found) => Number(troubled.has(onBoardingId));
  const asked = unseen.toSorted((one, other) => isTroubled(one) - isTroubled(other)).slice(0, most);
  for (const { onBoardingId, since } of asked) {
    troubled.delete(onBoardingId);
    if (!(await tryRefresh(actor, onBoardingId, since))) troubled.add(onBoardingId);
  }
  return { asked: asked.length, isAll: unseen.length <= most };
}

/** Keeps the new ones of these days. */
async function discover(looking: Looking): Promise<void> {
  const seen = new Set<string>();
  let asked = 0;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const listed = await readPage(looking.actor, { days: RECENT_DAYS, page });
    const fresh = listed.filter(({ onBoardingId }) => !seen.has(onBoardingId));
    for (const { onBoardingId } of fresh) seen.add(onBoardingId);
    const kept = await keepNew(looking, fresh, MOST_NEW - asked);
    asked += kept.asked;
    if (fresh.length < PAGE_LIMIT || !kept.isAll) break;
  }
}

/** Goes on looking back where the last sweep left off: the first time through everything, later a page a sweep. */
async function lookBack(looking: Looking, memory: Memory, now: Date): Promise<Memory> {
  if (memory.endedAt !== null && now.getTime() - memory.endedAt.getTime() < LOOK_BACK_EVERY_MS) return memory;
  const isFirst = memory.days === FIRST_LOOK_BACK_DAYS;
  let { page } = memory;
  for (let left = isFirst ? MOST_NEW_AT_FIRST : MOST_NEW; left > 0; page += 1) {
    const listed = await readPage(looking.actor, { days: memory.days, page });
    const { asked, isAll } = await keepNew(looking, listed, left);
    if (!isAll) return { ...memory, page };
    if (listed.length < PAGE_LIMIT || page >= MOST_PAGES)
      return { ...memory, days: LOOK_BACK_DAYS, page: 1, endedAt: now };
    left = isFirst ? left - asked : 0;
  }
  return { ...memory, page, endedAt: null };
}

async function checkDue(actor: Actor): Promise<void> {
  const store = await db();
  const { id, onBoardingId, documentSealed } = onboarding;
  const rows = await store
    .select({ id, onBoardingId, documentSealed })
    .from(onboarding)
    .where(
      and(
        eq(onboarding.tenant, actor.tenant),
        isNotNull(onboarding.nextCheckAt),
        // One that falls due before the middle of the pause would else wait for a whole round more.
        lte(onboarding.nextCheckAt, storeTimeBefore(-env().watchIntervalMs / 2)),
      ),
    )
    .orderBy(onboarding.nextCheckAt)
    .limit(MOST_DUE);
  for (const row of rows) {
    const asked = row.onBoardingId ?? unsealedOrNull(() => onboardingDocument(row));
    if (asked === null) {
      const cause = new UnsealError("the document does not open");
      await recordIncident(store, { tenant: actor.tenant, by: actor.id, object: `onboarding:${row.id}`, cause });
    } else if (await tryRefresh(actor, asked)) continue;
    const nextCheckAt = new Date(Date.now() + RETRY_TROUBLED_AFTER_MS);
    await store.update(onboarding).set({ nextCheckAt }).where(eq(onboarding.id, row.id));
  }
}

/** Requests whose sender died are no longer being sent: asks nobody. */
export const settleAccountRequests = (tenant: string): Promise<void> =>
  intents.settle(watchActor("onboarding", tenant, "onboarding:read"), [accountCreation]);

/** Feeds the onboarding queue: checks the open ones that are due, then looks for new ones, and for what came of requests. */
export const onboardingWatch: Watch = {
  name: "onboarding",
  topic: "onboarding",
  async sweep(tenant) {
    const actor = watchActor("onboarding", tenant, "onboarding:read");
    const key = { tenant, name: "onboarding" };
    const store = await db();
    await settleAccountRequests(tenant);
    await checkDue(actor);
    const memory = Memory.parse(await recall(store, key));
    const looking = { actor, troubled: new Set(memory.troubled) };
    await discover(looking);
    const next = await lookBack(looking, memory, await storeNow(store));
    await remember(store, key, { ...next, troubled: [...looking.troubled].slice(-MOST_TROUBLED) });
    await settleRequests(store, actor);
  },
};
