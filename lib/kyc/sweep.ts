import { and, asc, eq, lt, notInArray, sql } from "drizzle-orm";
import { z } from "zod";
import { AppError } from "@/lib/errors/app-error";
import type { listKyc } from "@/lib/provider/operations";
import { stringifyJson } from "@/lib/contract/json";
import { type KycRecord, totalsOf } from "@/lib/contract/kyc";
import { sha256 } from "@/lib/text/decode";
import { showBody, type ShownBody, UnreadEntries, unreadIn } from "@/lib/text/shown-body";
import { watchState } from "@/lib/db/tables/watch";
import { kycCase, kycRecord } from "@/lib/db/tables/kyc";
import type { Db } from "@/lib/db/connection";
import { recall, remember, watchStanding } from "@/lib/db/watch-state";
import { type Answered, bringsNews, noteAsked, type RecordsRead, type SaveResult, saveRecords } from "./sync";

/** How long one sweep reads while no pass has ended. */
const FIRST_PASS_SWEEP_MS = 20_000;
const PAGES_AHEAD = 8;
const PASS_MS = 600_000;
const MAX_PAGES = 30;
/** In a later pass, as the front of the list must be read again meanwhile. */
const LATER_TURN_MS = 2_000;
/** The most pages that a sweep reads from the front while they bring news. */
const MAX_NEW_PAGES = 30;
/** Calls of one sweep for unclear cases. */
const MAX_UNCLEAR = 60;
const MAX_UNCLEAR_KEPT = 2_000;
/** Calls of one sweep for open cases, least recently seen first. */
const MAX_OPEN = 3;
/** Calls of one sweep for records that the last pass missed. */
const MAX_MISSED = 10;
const MAX_UNREAD = 100;
const MAX_UNREAD_HAD = 5_000;

/** A pass reads all pages of the list once. */
const Progress = z.object({
  pass: z.int().min(1),
  begunAt: z.iso.datetime().nullable(),
  /** The number of the page returned without one. */
  first: z.int(),
  /** That page was the same when asked for by its number. */
  isFirstKnown: z.boolean(),
  next: z.int().nullable(),
  pages: z.int(),
  distinctPages: z.int(),
  added: z.int(),
  hasShifted: z.boolean(),
  isFull: z.boolean(),
  told: z.object({ pages: z.int(), records: z.int() }),
  unread: UnreadEntries,
  unreadHad: z.record(z.string(), z.int()).catch({}),
  lastPages: z.int().nullable(),
  wholeSince: z.iso.datetime().nullable(),
  hasMissed: z.boolean(),
  /** Cases to be read by id, left by earlier sweeps without calls. */
  unclear: z.array(z.string()).catch([]),
  /** The pass in which a contradictory case was last read by id. */
  contrary: z.record(z.string(), z.int()).catch({}),
  hasMoved: z.boolean().catch(false),
  /** The previous pass found the list moving, so this one reads fast. */
  isHurried: z.boolean().catch(false),
  sweptAt: z.iso.datetime().nullable(),
});
type Progress = z.output<typeof Progress>;

const NOTHING_READ: Progress = {
  pass: 1,
  begunAt: null,
  first: 1,
  isFirstKnown: false,
  next: null,
  pages: 0,
  distinctPages: 0,
  added: 0,
  hasShifted: false,
  isFull: false,
  told: { pages: 0, records: 0 },
  unread: [],
  unreadHad: {},
  lastPages: null,
  wholeSince: null,
  hasMissed: false,
  unclear: [],
  contrary: {},
  hasMoved: false,
  isHurried: false,
  sweptAt: null,
};

const progressIn = (stored: unknown): Progress => ({ ...Progress.catch(NOTHING_READ).parse(stored) });

export const wholeSince = sql`(${watchState.memory} ->> 'wholeSince')::timestamptz`;

export const readUnreadCases = async (tenant: string): Promise<ShownBody[]> =>
  unreadIn((await watchStanding(tenant, "kyc")).memory);

const keyOf = (tenant: string) => ({ tenant, name: "kyc" });

type Answer = z.output<typeof listKyc.answer>;
type ListRequest = { page?: number; kycUUID?: string; isPatient?: boolean; turnWithinMs?: number };

export type ListSource = { ask: (asked: ListRequest) => Promise<Answer>; now: () => Promise<Date> };

export type Sweep = { store: Db; tenant: string; source: ListSource };

type Page = { list: Answer; records: KycRecord[]; unread: { hash: string; shape: ShownBody }[]; askedAt: Date };

function pageOf(list: Answer, askedAt: Date): Page {
  const unread = list.result.flatMap((one) =>
    "kycUUID" in one ? [] : [{ hash: sha256(stringifyJson(one.unread)).slice(0, 16), shape: showBody(one.unread) }],
  );
  return { list, records: list.result.flatMap((one) => ("kycUUID" in one ? [one] : [])), unread, askedAt };
}

async function readPage({ source }: Sweep, asked: ListRequest): Promise<Page> {
  const askedAt = await source.now();
  return pageOf(await source.ask(asked), askedAt);
}

/** Null when refused, as some providers do beyond the last page. */
async function readNumbered(sweep: Sweep, asked: ListRequest): Promise<Page | null> {
  try {
    return await readPage(sweep, asked);
  } catch (error) {
    if (error instanceof AppError && (error.kind === "not-found" || error.kind === "invalid")) return null;
    throw error;
  }
}

type About = { kycUUID: string; reading?: RecordsRead; listed?: Answered };

/** A case that is no longer found by id keeps its state, unless a page lists it. */
export async function askCase({ store, tenant, source }: Sweep, { kycUUID, reading, listed }: About) {
  const askedAt = await source.now();
  const answer = pageOf(await source.ask({ kycUUID }), askedAt);
  const records = answer.records.filter((record) => record.kycUUID === kycUUID);
  // An unreadable record may belong to this case and contradict the rest.
  const isReadable = answer.unread.length === 0;
  const isTold = isReadable && records.length > 0;
  const own = { records, askedAt, place: "newest", ...(reading && { reading }) } as const;
  const told = isTold ? own : isReadable ? listed : undefined;
  const saved = told && (await store.transaction((tx) => saveRecords(tx, tenant, told)));
  if (!isTold) await noteAsked(store, tenant, { kycUUID, askedAt, pass: reading?.pass });
  return saved;
}

async function readCase({ sweep, progress }: Run, kycUUID: string, listed?: Answered): Promise<number> {
  const { pass } = progress;
  const reading = { pass, page: null, isFirstPass: false };
  const saved = await askCase(sweep, { kycUUID, reading, ...(listed && { listed }) });
  const { [kycUUID]: _, ...contrary } = progress.contrary;
  progress.contrary = saved?.contrary.length ? { ...contrary, [kycUUID]: pass } : contrary;
  return saved?.moved ?? 0;
}

type Ahead = Map<number, Promise<Page | null>>;
type Run = { sweep: Sweep; progress: Progress; begunAt: Date; unclear: number; ahead: Ahead };

const readingOf = ({ progress }: Run, page: number): RecordsRead => ({
  pass: progress.pass,
  page,
  isFirstPass: progress.lastPages === null,
});

function noteUnread({ progress }: Run, { unread }: Page, page: number): number {
  const unreadHad = { ...progress.unreadHad };
  let added = 0;
  for (const { hash, shape } of unread) {
    progress.wholeSince = null;
    if (!progress.unread.some((known) => known.hash === hash)) {
      progress.unread = [...progress.unread, { hash, shape }].slice(-MAX_UNREAD);
    }
    if (unreadHad[hash] === undefined && Object.keys(unreadHad).length < MAX_UNREAD_HAD) unreadHad[hash] = page;
    if (unreadHad[hash] === page) added += 1;
  }
  progress.unreadHad = unreadHad;
  return added;
}

async function savePage(run: Run, page: Page, at: { page: number; place: "newest" | "oldest" }): Promise<SaveResult> {
  const { store, tenant } = run.sweep;
  const { records, askedAt } = page;
  const unread = noteUnread(run, page, at.page);
  const takes = run.unclear < MAX_UNCLEAR ? "none" : "worse";
  const answered = { records, askedAt, place: at.place, reading: readingOf(run, at.page), takes } as const;
  const saved = await store.transaction((tx) => saveRecords(tx, tenant, answered));
  const { progress } = run;
  let { moved } = saved;
  for (const kycUUID of saved.unclear) {
    if (progress.contrary[kycUUID] === progress.pass) continue;
    const listed = { ...answered, records: records.filter((one) => one.kycUUID === kycUUID), takes: "all" } as const;
    if (run.unclear < MAX_UNCLEAR) moved += await readCase(run, kycUUID, listed);
    else progress.unclear = [...new Set([...progress.unclear, kycUUID])].slice(0, MAX_UNCLEAR_KEPT);
    run.unclear += 1;
  }
  return { ...saved, moved, unread: saved.unread + unread };
}

async function readUnclear(run: Run): Promise<void> {
  const { progress } = run;
  const due = progress.unclear.slice(0, MAX_UNCLEAR);
  for (const kycUUID of due) await readCase(run, kycUUID);
  run.unclear = due.length;
  progress.unclear = progress.unclear.filter((kycUUID) => !due.includes(kycUUID));
}

const idsOf = ({ records, unread }: Page) =>
  new Set([...records.map(({ kycUUID, process }) => `${kycUUID} ${process}`), ...unread.map(({ hash }) => hash)]);

function isSamePage(one: Page, other: Page): boolean {
  const ids = idsOf(one);
  const others = [...idsOf(other)];
  return others.filter((id) => ids.has(id)).length * 2 > others.length;
}

/** A page without a limit may have more to come. */
const fillsPage = ({ list: { limit, result } }: Page) => limit <= 0 || result.length === limit;

async function readNewest(run: Run): Promise<Page> {
  const { sweep, progress } = run;
  const front = await readPage(sweep, {});
  progress.first = front.list.page;
  const read = [front];
  let last: Page | null = front;
  // Before the first pass has ended, the pass itself reads on.
  while (progress.lastPages !== null && read.length < MAX_NEW_PAGES) {
    const records = last.records.filter(({ kycUUID }) => progress.contrary[kycUUID] !== progress.pass);
    if (!(await bringsNews(sweep.store, sweep.tenant, records))) break;
    last = await readNumbered(sweep, { page: progress.first + read.length });
    if (last === null || read.some((one) => last !== null && isSamePage(one, last))) break;
    if (last.list.result.length === 0) break;
    read.push(last);
  }
  // Oldest first keeps the order of arrival.
  for (const [nth, one] of [...read.entries()].toReversed()) {
    await savePage(run, { ...one, askedAt: front.askedAt }, { page: progress.first + nth, place: "newest" });
  }
  return front;
}

function beginPass(run: Run, front: Page): void {
  const { progress, begunAt } = run;
  const { first, isFirstKnown } = progress;
  Object.assign(progress, {
    begunAt: begunAt.toISOString(),
    next: isFirstKnown ? first + 1 : first,
    pages: 1,
    distinctPages: 1,
    added: 0,
    hasShifted: false,
    hasMoved: false,
    isFull: fillsPage(front),
    told: totalsOf(front.list),
  } satisfies Partial<Progress>);
}

/** Whether the pass has seen as many records as the provider's total. */
async function seesTotals({ sweep, progress }: Run): Promise<boolean> {
  const { pass, told, pages } = progress;
  if (pages < told.pages) return false;
  if (told.records === 0) return true;
  const { store, tenant } = sweep;
  const ofPass = and(eq(kycRecord.tenant, tenant), eq(kycRecord.pass, pass));
  return (await store.$count(kycRecord, ofPass)) >= told.records;
}

/** Complete when its end was shown, all was readable, and moved pages brought nothing new. */
async function endPass(run: Run, isShown: boolean): Promise<void> {
  const { progress } = run;
  const { distinctPages, isFull, hasShifted, hasMoved, added, begunAt, pass, pages, unread, unreadHad } = progress;
  const isFirst = progress.lastPages === null;
  const isEnd = isShown || distinctPages > 1 || !isFull;
  const isReadable = Object.keys(unreadHad).length === 0;
  const isWhole = isEnd && isReadable && (!hasShifted || added === 0) && (await seesTotals(run));
  Object.assign(progress, {
    pass: pass + 1,
    next: null,
    lastPages: pages,
    unread: unread.filter(({ hash }) => hash in unreadHad),
    unreadHad: {},
    isHurried: hasMoved || (isFirst ? hasShifted : added > 0),
    ...(isWhole && { wholeSince: begunAt, hasMissed: true }),
  } satisfies Partial<Progress>);
}

const lastReported = ({ progress: { first, told } }: Run) => (told.pages > 0 ? first + told.pages - 1 : Infinity);

/** The first pass reads some pages in parallel, so that other calls do not come between two of them. */
async function readNext(run: Run, number: number, isLast: boolean): Promise<Page | null> {
  const { sweep, progress, ahead } = run;
  // Only after the provider has shown that page numbers work.
  const goesAhead = !isLast && progress.lastPages === null && progress.distinctPages > 1;
  const until = goesAhead ? Math.min(number + PAGES_AHEAD - 1, lastReported(run)) : number;
  for (let page = number; page <= Math.max(number, until); page += 1) {
    if (ahead.has(page)) continue;
    const asked = readNumbered(sweep, {
      page,
      isPatient: true,
      ...(progress.lastPages !== null && { turnWithinMs: LATER_TURN_MS }),
    });
    // It may fail before it is awaited.
    void asked.catch(() => undefined);
    ahead.set(page, asked);
  }
  const read = ahead.get(number);
  ahead.delete(number);
  return (await read) ?? null;
}

async function readOn(run: Run, front: Page, isLast: boolean): Promise<boolean> {
  const { progress } = run;
  if (progress.next === null) beginPass(run, front);
  const number = progress.next ?? progress.first;
  const page = front.list.result.length === 0 ? front : await readNext(run, number, isLast);
  if (page === null || page.list.result.length === 0) {
    await endPass(run, page !== null);
    return false;
  }
  const isFirst = number === progress.first;
  // A record that appears after a complete pass is new, wherever it is listed.
  const place = progress.wholeSince === null ? "oldest" : "newest";
  const saved = await savePage(run, page, { page: number, place });
  progress.next = number + 1;
  if (isFirst) progress.isFirstKnown = isSamePage(front, page);
  if (isFirst && progress.isFirstKnown) return true;
  if (saved.unread === 0) {
    await endPass(run, false);
    return false;
  }
  notePage(run, page, saved);
  return true;
}

function notePage({ progress }: Run, page: Page, saved: SaveResult): void {
  const told = totalsOf(page.list);
  Object.assign(progress, {
    pages: progress.pages + 1,
    distinctPages: progress.distinctPages + (saved.unread * 2 > page.list.result.length ? 1 : 0),
    added: progress.added + saved.added,
    hasShifted: progress.hasShifted || saved.hasShifted,
    hasMoved: progress.hasMoved || saved.moved > 0,
    isFull: fillsPage(page),
    told: { pages: Math.max(progress.told.pages, told.pages), records: told.records },
  } satisfies Partial<Progress>);
}

const save = ({ sweep, progress }: Run) => remember(sweep.store, keyOf(sweep.tenant), progress);

function pagesDue({ progress, begunAt }: Run): number {
  const sinceMs = progress.sweptAt === null ? 0 : begunAt.getTime() - Date.parse(progress.sweptAt);
  if (progress.isHurried || progress.hasMoved) return MAX_PAGES;
  const due = Math.ceil(((progress.lastPages ?? 0) * sinceMs) / PASS_MS);
  return Math.min(Math.max(due, 1), MAX_PAGES);
}

async function readList(run: Run, front: Page): Promise<void> {
  const { sweep, begunAt, progress } = run;
  const isFirst = progress.lastPages === null;
  const due = isFirst ? Infinity : pagesDue(run);
  let isLate = false;
  for (let pages = 0; pages < due; pages += 1) {
    try {
      if (!(await readOn(run, front, isLate))) return await save(run);
    } catch (error) {
      // The call budget was needed elsewhere, so the next sweep continues.
      if (isFirst && pages > 0 && error instanceof AppError && error.kind === "rate-limited") return;
      if (!isFirst && error instanceof AppError && error.details.code === "budget-spent") return;
      throw error;
    }
    await save(run);
    isLate ||= isFirst && (await sweep.source.now()).getTime() - begunAt.getTime() > FIRST_PASS_SWEEP_MS;
    if (isLate && run.ahead.size === 0) return;
  }
}

async function readOpenCases(run: Run): Promise<void> {
  const { sweep, begunAt } = run;
  const isOpen = notInArray(kycCase.status, ["APPROVED", "REPROVED"]);
  const unseen = await sweep.store
    .select({ kycUUID: kycCase.kycUUID })
    .from(kycCase)
    .where(and(eq(kycCase.tenant, sweep.tenant), isOpen, lt(kycCase.seenAt, begunAt)))
    .orderBy(asc(kycCase.seenAt), asc(kycCase.seq))
    .limit(MAX_OPEN);
  for (const { kycUUID } of unseen) await readCase(run, kycUUID);
}

/** They moved past the pass, or the provider dropped them. */
async function readMissed(run: Run): Promise<void> {
  const { sweep, progress } = run;
  if (!progress.hasMissed) return;
  const { kycUUID, pass, tenant } = kycRecord;
  const missed = await sweep.store
    .selectDistinct({ kycUUID })
    .from(kycRecord)
    .where(and(eq(tenant, sweep.tenant), lt(pass, progress.pass - 1)))
    .limit(MAX_MISSED);
  for (const one of missed) await readCase(run, one.kycUUID);
  progress.hasMissed = missed.length === MAX_MISSED;
}

/** Two calls when nothing is new. Paging and order are undocumented: read until a page brings nothing. */
export async function sweepList(sweep: Sweep): Promise<{ isFirst: boolean; isUnfinished: boolean }> {
  const stored = await recall(sweep.store, keyOf(sweep.tenant));
  const run: Run = {
    sweep,
    progress: progressIn(stored),
    begunAt: await sweep.source.now(),
    unclear: 0,
    ahead: new Map(),
  };
  const isFirstPass = run.progress.lastPages === null;
  await readUnclear(run);
  const front = await readNewest(run);
  await readList(run, front);
  if (!isFirstPass) {
    await readOpenCases(run);
    await readMissed(run);
  }
  run.progress.sweptAt = run.begunAt.toISOString();
  await save(run);
  return { isFirst: stored === null, isUnfinished: run.progress.lastPages === null };
}
