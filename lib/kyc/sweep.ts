import { and, asc, count, eq, gt, lt, notInArray } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "@/lib/auth/grant";
import { bank } from "@/lib/bank/bank";
import { listKyc } from "@/lib/bank/operations";
import type { KycRecord } from "@/lib/contract/kyc";
import { storeNow } from "@/lib/store/clock";
import { kycCase } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { recall, remember } from "@/lib/store/watch-state";
import { bringsNews, noteAsked, saveRecords } from "./records";

const MOST_PAGES = 500;
/** Pages of one sweep while the list is not kept as a whole yet. */
const MOST_FIRST_PAGES = 10;
/** Calls of one sweep for open cases that its first page did not reach. */
const MOST_REACHES = 3;

export type Sweep = { store: Db; actor: Actor<"kyc:read"> };

/** What one sweep leaves to the next: how far back the walk through the whole list has come, and whether it ever ended. */
const Memory = z.object({ walkPage: z.int().min(1), isWhole: z.boolean() }).catch({ walkPage: 1, isWhole: false });
type Memory = z.output<typeof Memory>;

type ListPage = { records: KycRecord[]; askedAt: Date; limit: number; isLast: boolean };

/** One page of the list. How the provider pages is not documented: less than a full page is the last one. */
async function readPage({ store, actor }: Sweep, page: number): Promise<ListPage> {
  const askedAt = await storeNow(store);
  const { answer } = await bank.get(actor, listKyc, { query: page === 1 ? {} : { page } });
  const { result: records, limit } = answer;
  return { records, askedAt, limit, isLast: records.length < limit };
}

/** Reads from the newest on until a page brings nothing new; returns how many pages that took and what a page holds. */
async function sweepNewest(sweep: Sweep, mostPages: number): Promise<{ pages: number; last: ListPage }> {
  const { store, actor } = sweep;
  const seen = new Set<string>();
  const read: ListPage[] = [];
  let last: ListPage;
  do {
    last = await readPage(sweep, read.length + 1);
    const records = last.records.filter(({ kycUUID }) => !seen.has(kycUUID));
    for (const { kycUUID } of records) seen.add(kycUUID);
    read.push({ ...last, records });
    // A provider that knows no pages answers the same again.
    if (records.length === 0) last = { ...last, isLast: true };
    if (last.isLast || !(await bringsNews(store, actor.tenant, records))) break;
  } while (read.length < mostPages);
  // The oldest page first, so that the order of arrival is kept.
  for (const page of read.toReversed()) {
    await store.transaction((tx) => saveRecords(tx, actor.tenant, { ...page, place: "newest" }));
  }
  return { pages: read.length, last };
}

/** The open case nobody has looked at for longest since `before`, and how many newer ones there are. */
async function longestUnseen({ store, actor }: Sweep, before: Date) {
  const mine = eq(kycCase.tenant, actor.tenant);
  const [row] = await store
    .select({ kycUUID: kycCase.kycUUID, seq: kycCase.seq })
    .from(kycCase)
    .where(and(mine, notInArray(kycCase.status, ["APPROVED", "REPROVED"]), lt(kycCase.seenAt, before)))
    .orderBy(asc(kycCase.seenAt), asc(kycCase.seq))
    .limit(1);
  if (row === undefined) return null;
  const [ahead] = await store
    .select({ n: count() })
    .from(kycCase)
    .where(and(mine, gt(kycCase.seq, row.seq)));
  return { kycUUID: row.kycUUID, ahead: ahead?.n ?? 0 };
}

async function readOne({ store, actor }: Sweep, kycUUID: string): Promise<void> {
  const askedAt = await storeNow(store);
  const { answer } = await bank.get(actor, listKyc, { query: { kycUUID }, object: `kyc:${kycUUID}` });
  const records = answer.result;
  await store.transaction((tx) => saveRecords(tx, actor.tenant, { records, askedAt, place: "oldest" }));
  // A case the provider no longer lists takes its turn again after the others.
  if (records.length === 0) await noteAsked(store, actor.tenant, { kycUUID, askedAt });
}

/**
 * Looks after open cases further back, the longest unseen first: by the page it should be on, which brings its neighbours
 * along, and where it is not there by its id.
 */
async function reachOpenCases(sweep: Sweep, { before, pageSize }: { before: Date; pageSize: number }): Promise<void> {
  let isMissed = false;
  for (let reaches = 0; reaches < MOST_REACHES; reaches += 1) {
    const found = await longestUnseen(sweep, before);
    if (found === null) return;
    if (isMissed) await readOne(sweep, found.kycUUID);
    else {
      const page = await readPage(sweep, Math.floor(found.ahead / pageSize) + 1);
      await sweep.store.transaction((tx) => saveRecords(tx, sweep.actor.tenant, { ...page, place: "oldest" }));
      isMissed = !page.records.some(({ kycUUID }) => kycUUID === found.kycUUID);
    }
  }
}

/** Goes on through the whole list where the last sweep left off, and begins again at its end. */
async function walkOn(sweep: Sweep, memory: Memory, newest: { pages: number; last: ListPage }): Promise<Memory> {
  if (newest.last.isLast) return { walkPage: 1, isWhole: true };
  const first = Math.max(memory.walkPage, newest.pages) + 1;
  const most = memory.isWhole ? 1 : MOST_FIRST_PAGES;
  for (let page = first; page < first + most; page += 1) {
    const listed = await readPage(sweep, page);
    await sweep.store.transaction((tx) => saveRecords(tx, sweep.actor.tenant, { ...listed, place: "oldest" }));
    if (listed.isLast || page >= MOST_PAGES) return { walkPage: 1, isWhole: true };
  }
  return { ...memory, walkPage: first + most - 1 };
}

/**
 * Brings the store up to what the provider lists, in two calls when nothing is new: the newest page, and one further back,
 * page after page. Open cases beyond the newest page cost up to three more. `isFirst`: nobody had looked before.
 */
export async function sweepList(sweep: Sweep): Promise<{ isFirst: boolean }> {
  const { store, actor } = sweep;
  const key = { tenant: actor.tenant, name: "kyc" };
  const recalled = await recall(store, key);
  const memory = Memory.parse(recalled);
  const before = await storeNow(store);
  const newest = await sweepNewest(sweep, memory.isWhole ? MOST_PAGES : MOST_FIRST_PAGES);
  if (memory.isWhole) await reachOpenCases(sweep, { before, pageSize: newest.last.limit });
  await remember(store, key, await walkOn(sweep, memory, newest));
  return { isFirst: recalled === null };
}
