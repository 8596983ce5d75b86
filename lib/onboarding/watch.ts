import { and, eq, inArray, isNotNull, lte, or } from "drizzle-orm";
import { z } from "zod";
import { recordIncident } from "@/lib/audit/incident";
import { type Actor, watchActor } from "@/lib/permission/grant";
import { provider } from "@/lib/provider/client";
import { isProviderTrouble } from "@/lib/provider/answer";
import { AppError } from "@/lib/errors/app-error";
import { getAccounts } from "@/lib/provider/operations";
import { stringifyJson } from "@/lib/contract/json";
import { documentIn, findIn, openingIdIn, readList, type FieldName } from "@/lib/contract/open-answer";
import { env } from "@/lib/settings/env";
import { log } from "@/lib/log/log";
import { showBody, type ShownBody, UnreadEntries } from "@/lib/text/shown-body";
import { readInstant } from "@/lib/text/read-time";
import { storeNow, storeTimeBefore } from "@/lib/db/clock";
import { onboardingDocument } from "@/lib/db/document";
import { lookupHash, lookupHashes, unsealedOrNull, UnsealError } from "@/lib/db/seal";
import { onboarding } from "@/lib/db/tables/customers";
import { db } from "@/lib/db/connection";
import { recall, remember } from "@/lib/db/watch-state";
import { civilDaysAgo } from "@/lib/text/time";
import type { Watch } from "@/lib/watch/watch";
import { contradictRequests, reconcileRequests } from "./create-reconcile";
import { refreshOnboarding } from "./records";
import { isTypedDocument } from "./inputs";

/** Every sweep searches these days for new ones. */
const RECENT_DAYS = 1;
/** Searched now and then, for a provider that lists late. */
const LOOK_BACK_DAYS = 7;
const LOOK_BACK_EVERY_MS = 10 * 60_000;
/** Searched first for earlier onboardings, and once a day for account statuses. */
const WHOLE_DAYS = 730;
const WHOLE_EVERY_MS = 24 * 60 * 60_000;
const PAGE_LIMIT = 100;
/** Per sweep; the next one continues. */
const MAX_PAGES = 20;
/** Read one by one per sweep. The first sweep fills an empty queue. */
const MAX_NEW = 5;
const MAX_NEW_AT_FIRST = 60;
const MAX_DUE = 10;
const RETRY_TROUBLED_AFTER_MS = 60 * 60_000;

const Memory = z.object({
  days: z.int().min(1).catch(WHOLE_DAYS),
  page: z.int().min(0).catch(0),
  /** Of the previous page. */
  mark: z.string().catch(""),
  endedAt: z.coerce.date().nullable().catch(null),
  /** When the last round over all days ended, complete or not. */
  wideAt: z.coerce.date().nullable().catch(null),
  /** When the last complete one began. */
  wholeAt: z.iso.datetime().nullable().catch(null),
  begunAt: z.iso.datetime().nullable().catch(null),
  troubled: z.array(z.string()).catch([]),
  unread: UnreadEntries.catch([]),
});
type Memory = z.output<typeof Memory>;

const MAX_TROUBLED = 100;
const MAX_UNREAD = 100;

/** The accounts area stores its part of this list. `at`: when it was requested. */
type NoteListed = (tenant: string, answer: unknown, at: Date) => Promise<void>;

type LookBack = { actor: Actor; noteListed: NoteListed; troubled: Set<string>; unread: Map<string, ShownBody> };

type FoundAccount = { asked: string; since: Date | undefined };

const textIn = (entry: unknown, wanted: FieldName) => findIn(entry, wanted)?.text ?? null;

function understand(entry: unknown): FoundAccount | null {
  const asked = textIn(entry, "onboardingId") ?? documentIn(entry) ?? openingIdIn(entry);
  if (asked === null) return null;
  return { asked, since: readInstant(textIn(entry, "createdAt") ?? "") ?? undefined };
}

type Listed = { found: FoundAccount[]; unread: unknown[]; isLast: boolean; mark: string };

/** The shape of getAccounts is undocumented: any list of records with an id or a document is accepted. */
export function readListed(answer: unknown, page: number): Listed {
  const { understood, others, isList } = readList(answer, understand);
  const pages = Number(textIn(answer, "totalPages") ?? Number.NaN);
  const isEmpty = understood.length === 0 && others.length === 0;
  return {
    found: understood,
    unread: isList ? others : [answer],
    isLast: isEmpty || Math.max(page, 1) >= pages,
    mark: isEmpty ? "" : lookupHash(stringifyJson(answer)),
  };
}

type Listing = { days: number; page: number };

/** The number of the first page is undocumented, so it is requested without one. */
async function readPage({ actor, noteListed, unread }: LookBack, { days, page }: Listing): Promise<Listed> {
  const period = { initialDate: civilDaysAgo(days), endDate: civilDaysAgo(0) };
  const numbered = page === 0 ? {} : { page };
  const askedAt = await storeNow(await db());
  const { answer } = await provider.get(actor, getAccounts, { query: { ...period, limit: PAGE_LIMIT, ...numbered } });
  const listed = readListed(answer, page);
  await noteListed(actor.tenant, answer, askedAt);
  for (const entry of listed.unread.slice(0, MAX_UNREAD - unread.size)) {
    const shape = showBody(entry, { hidesTexts: true });
    unread.set(lookupHash(stringifyJson(entry)), shape);
  }
  return listed;
}

/** One failure must not stop the others. */
async function tryRefresh(actor: Actor, asked: string, since?: Date): Promise<boolean> {
  try {
    await refreshOnboarding(actor, asked, { since });
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || isProviderTrouble(error.kind)) throw error;
    log.warn({ watch: "onboarding", kind: error.kind, requestId: error.details.requestId }, "one not read");
    return false;
  }
}

async function notStored(actor: Actor, found: readonly FoundAccount[]): Promise<FoundAccount[]> {
  if (found.length === 0) return [];
  const { onBoardingId, documentHash } = onboarding;
  const hashesOf = new Map(found.map(({ asked }) => [asked, isTypedDocument(asked) ? lookupHashes(asked) : []]));
  const isStored = or(
    inArray(onBoardingId, [...hashesOf.keys()]),
    inArray(documentHash, [...hashesOf.values()].flat()),
  );
  const stored = await (
    await db()
  )
    .select({ onBoardingId, documentHash })
    .from(onboarding)
    .where(and(eq(onboarding.tenant, actor.tenant), isStored));
  const known = new Set(stored.flatMap((row) => [row.onBoardingId, row.documentHash]));
  return found.filter(({ asked }) => ![asked, ...(hashesOf.get(asked) ?? [])].some((name) => known.has(name)));
}

/** Up to `most`; returns how many were read, and whether that was all. */
async function saveNew({ actor, troubled }: LookBack, found: readonly FoundAccount[], most: number) {
  const unseen = await notStored(actor, found);
  // Documents are stored by hash.
  const nameOf = ({ asked }: FoundAccount) => (isTypedDocument(asked) ? lookupHash(asked) : asked);
  const isTroubled = (one: FoundAccount) => Number(troubled.has(nameOf(one)));
  const turn = unseen.toSorted((one, other) => isTroubled(one) - isTroubled(other)).slice(0, most);
  for (const one of turn) {
    troubled.delete(nameOf(one));
    if (!(await tryRefresh(actor, one.asked, one.since))) troubled.add(nameOf(one));
  }
  return { asked: turn.length, isAll: unseen.length <= most };
}

async function discover(looking: LookBack): Promise<void> {
  const seen = new Set<string>();
  let asked = 0;
  for (let page = 0; page <= MAX_PAGES; page += 1) {
    const listed = await readPage(looking, { days: RECENT_DAYS, page });
    const fresh = listed.found.filter((one) => !seen.has(one.asked));
    for (const one of fresh) seen.add(one.asked);
    const stored = await saveNew(looking, fresh, MAX_NEW - asked);
    asked += stored.asked;
    // Page 1 may be the first one again.
    if (listed.isLast || !stored.isAll || (fresh.length === 0 && page !== 1)) break;
  }
}

const isLookBackDue = ({ endedAt }: Memory, now: Date) =>
  endedAt === null || now.getTime() - endedAt.getTime() >= LOOK_BACK_EVERY_MS;

const isWideDue = ({ wideAt }: Memory, now: Date) =>
  wideAt === null || now.getTime() - wideAt.getTime() >= WHOLE_EVERY_MS;

function beginRound(memory: Memory, now: Date): Memory {
  const days = isWideDue(memory, now) ? WHOLE_DAYS : LOOK_BACK_DAYS;
  return { ...memory, days, page: 0, mark: "", begunAt: now.toISOString() };
}

function endRound(memory: Memory, now: Date, isWhole: boolean): Memory {
  const ended = { ...memory, page: 0, mark: "", endedAt: now };
  if (memory.days !== WHOLE_DAYS) return ended;
  return { ...ended, wideAt: now, wholeAt: isWhole ? memory.begunAt : null };
}

/** As many pages as a sweep may read the first time, then one per sweep. */
async function lookBack(looking: LookBack, memory: Memory, now: Date): Promise<Memory> {
  if (!isLookBackDue(memory, now)) return memory;
  const isFirst = memory.wideAt === null;
  let next = memory.page === 0 ? beginRound(memory, now) : memory;
  let left = isFirst ? MAX_NEW_AT_FIRST : MAX_NEW;
  for (let pages = 0; left > 0 && pages < MAX_PAGES; pages += 1) {
    const { page, mark } = next;
    const listed = await readPage(looking, { days: next.days, page });
    const { asked, isAll } = await saveNew(looking, listed.found, left);
    if (!isAll) return next;
    // Page 1 may be the first one again.
    const isRepeated = page > 1 && listed.mark !== "" && listed.mark === mark;
    if (listed.isLast || isRepeated) return endRound(next, now, !isRepeated && looking.unread.size === 0);
    next = { ...next, page: page + 1, mark: listed.mark, endedAt: null };
    left = isFirst ? left - asked : 0;
  }
  return next;
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
        // Due before the middle of the pause, as it would otherwise wait a whole round more.
        lte(onboarding.nextCheckAt, storeTimeBefore(-env().watchIntervalMs / 2)),
      ),
    )
    .orderBy(onboarding.nextCheckAt)
    .limit(MAX_DUE);
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

export const watchOnboarding = (noteListed: NoteListed): Watch => ({
  name: "onboarding",
  topic: "onboarding",
  async sweep(tenant) {
    const actor = watchActor("onboarding", tenant, "onboarding:read");
    const key = { tenant, name: "onboarding" };
    const store = await db();
    await checkDue(actor);
    const memory = Memory.parse((await recall(store, key)) ?? {});
    const now = await storeNow(store);
    const isNewRound = memory.page === 0 && isLookBackDue(memory, now);
    const unread = new Map(isNewRound ? [] : memory.unread.map(({ hash, shape }) => [hash, shape]));
    const looking = { actor, noteListed, troubled: new Set(memory.troubled), unread };
    await discover(looking);
    const next = await lookBack(looking, memory, now);
    await remember(store, key, {
      ...next,
      troubled: [...looking.troubled].slice(-MAX_TROUBLED),
      unread: [...unread].map(([hash, shape]) => ({ hash, shape })),
    });
    await reconcileRequests(store, actor);
    await contradictRequests(store, actor);
  },
});
