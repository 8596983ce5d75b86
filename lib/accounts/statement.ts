import type { z } from "zod";
import type { Actor } from "@/lib/permission/grant";
import { provider } from "@/lib/provider/client";
import { getHistory } from "@/lib/provider/operations";
import { isZero } from "@/lib/text/format";
import type { StatementEntry } from "@/lib/contract/accounts";
import { maskWithin } from "@/lib/contract/document";
import { stringifyJson } from "@/lib/contract/json";
import { sha256 } from "@/lib/text/decode";
import { isUnknown, rawWord } from "@/lib/text/provider-word";
import { isoOf } from "@/lib/text/read-time";
import { showBody } from "@/lib/text/shown-body";
import { entryDirection, STATEMENT_PAGE_SIZE, type StatementFilter } from "./inputs";
import { beginHearing, type Heard, keepEntries, keepWalk } from "./kept-entries";
import type { StatementDoubt, StatementRow, UnreadRow } from "./view";

export type { StatementRow, UnreadRow } from "./view";

export type Statement = {
  rows: (StatementRow | UnreadRow)[];
  /** Ours, from 1. */
  page: number;
  /** Null when the provider gives none or an impossible one. */
  totalPages: number | null;
  hasNext: boolean;
  doubts: StatementDoubt[];
  /** For the next page: the provider's number of its first page, and this page's mark. */
  onward: { first: number | null; after: string };
  asOf: string;
  from: string;
  to: string;
  pix: boolean;
};

const wordOf = ({ direction }: StatementEntry) => (isUnknown(direction) ? rawWord(direction) : direction);
const isNegative = (amount: string) => amount.startsWith("-") && !isZero(amount);

function toRow(entry: StatementEntry, isSigned: boolean): StatementRow {
  const { transactionId, type, amount, date, description } = entry;
  const word = wordOf(entry);
  const reported = entry["status"] ?? entry["situacao"];
  const said = entryDirection(word);
  const isContradicted = said === "CREDIT" && isNegative(amount);
  const bySign = isNegative(amount) ? "DEBIT" : isSigned && word === "" ? "CREDIT" : null;
  return {
    transactionId,
    type: maskWithin(type),
    amount,
    date: maskWithin(isoOf(date)),
    description: maskWithin(description),
    direction: isContradicted ? null : (said ?? bySign),
    directionWord: maskWithin(word),
    unheardWord: said === null && bySign !== null ? maskWithin(word) : "",
    isContradicted,
    status: typeof reported === "string" ? maskWithin(reported.trim()) : "",
  };
}

type Answer = z.output<typeof getHistory.answer>;
type Item = Answer["data"]["transactions"][number];

export const isRead = (item: Item): item is StatementEntry => !("unread" in item);

function toRows(items: readonly Item[]): Statement["rows"] {
  // If entries without a direction word carry a minus, all signs count.
  const isSigned = items.some((item) => isRead(item) && wordOf(item) === "" && isNegative(item.amount));
  return items.map((item) => (isRead(item) ? toRow(item, isSigned) : { fields: showBody(item.unread).fields }));
}

type StatementPage = { items: Item[]; page: number | null; totalPages: number | null; mark: string; asOf: Date };

const HEAD = 3;

const markOf = (items: readonly Item[]): string => sha256(stringifyJson(items)).slice(0, 16);

/** Identifies a page by its first entries: a late arrival shifts the others but keeps their order. */
const headMark = (items: readonly Item[]): string => markOf(items.slice(0, HEAD));

const holdsPage = (items: readonly Item[], mark: string): boolean =>
  headMark(items) === mark ||
  items.some((_, at) => at + HEAD <= items.length && markOf(items.slice(at, at + HEAD)) === mark);

/** Reads a page by the provider's number; without one, the first. */
type Read = (page: number | undefined) => Promise<StatementPage>;

/**
 * How a provider counts its pages is not documented. Asked without a page, it answers with the first and names it;
 * where requests and answers are numbered differently, the gap shows and the page is requested again.
 */
async function readPage(read: Read, { page, first, after }: StatementFilter) {
  const opening = page === 1 || first === undefined ? await read(undefined) : null;
  const called = first ?? opening?.page ?? null;
  if (page === 1 && opening !== null) return { reading: opening, called, isRepeated: false, isOther: false };
  const wanted = (called ?? 1) + page - 1;
  let reading = await read(wanted);
  if (reading.page !== null && reading.page !== wanted) {
    const again = await read(2 * wanted - reading.page);
    if (again.page === wanted) reading = again;
  }
  const before = after ?? opening?.mark;
  const isRepeated = reading.items.length > 0 && before !== undefined && holdsPage(reading.items, before);
  return { reading, called, isRepeated, isOther: reading.page !== null && reading.page !== wanted };
}

type AccountQuery = { accountId: string; documentNumber: string };

/** Whose statement, of which of its entries; who walks through it (`heard`) gets nothing beyond its end, who opens a page the last one. `isPatient`: all else goes first. */
export type Asking = {
  asked: AccountQuery;
  object: string;
  filter: StatementFilter;
  heard?: Heard;
  isPatient?: boolean;
};

type Entries = Omit<Statement, "rows"> & { items: Item[] };

/** The interface's page limit by our assumption; smaller pages work too. */
const LONG_PAGE = 500;

async function askEntries(actor: Actor, asking: Asking, limit: number): Promise<Entries> {
  const { asked, object, filter, heard, isPatient = false } = asking;
  const isWalked = heard !== undefined;
  const { from, to, page, pix, after } = filter;
  const read: Read = async (number) => {
    const { answer, asOf } = await provider.get(actor, getHistory, {
      object,
      isPatient,
      query: {
        ...asked,
        initialDate: from,
        endDate: to,
        limit,
        page: number,
        onlyPixEntries: pix ? true : undefined,
      },
    });
    const { transactions: items, page: reported, totalPages } = answer.data;
    return { items, page: reported, totalPages, asOf, mark: headMark(items) };
  };
  const { reading, called, isRepeated, isOther } = await readPage(read, filter);
  const { asOf, mark } = reading;
  // Earlier pages differed, so a repeated last page is the end.
  const isEnd = isRepeated && after !== undefined && page > 2;
  const lastPage = Math.max(reading.totalPages ?? page, 1);
  if (!isEnd && page > lastPage) {
    const ending = { ...filter, page: lastPage, first: called ?? undefined, after: undefined };
    const last = await askEntries(actor, { ...asking, filter: ending }, limit);
    const isBeyond = reading.items.length === 0 || last.onward.after === mark;
    if (isBeyond) return isWalked ? { ...last, items: [], hasNext: false } : last;
  }
  const shown = !isRepeated || isWalked ? page : after === undefined ? 1 : page - 1;
  const items = isRepeated && isWalked ? [] : reading.items;
  const isTotal = reading.totalPages !== null && (items.length === 0 || reading.totalPages >= page);
  const totalPages = isEnd ? page - 1 : isTotal ? reading.totalPages : null;
  const hasNext = !isRepeated && (totalPages === null ? items.length > 0 : page < totalPages);
  const stands: Record<StatementDoubt, boolean> = {
    repeated: isRepeated && !isEnd,
    "other-page": isOther && !isRepeated,
    "first-page": called === null && (page > 1 || hasNext),
    total: totalPages === null,
  };
  const doubts = (["repeated", "other-page", "first-page", "total"] as const).filter((doubt) => stands[doubt]);
  const onward = { first: called, after: mark };
  return { items, page: shown, totalPages, hasNext, doubts, onward, asOf: asOf.toISOString(), from, to, pix };
}

/** One page as the provider answered it, and how it goes on; what it tells is kept. */
export async function readEntries(actor: Actor, asking: Asking, limit = LONG_PAGE): Promise<Entries> {
  const { object, heard = null } = asking;
  const entries = await askEntries(actor, asking, limit);
  const { items } = entries;
  const told = toRows(items).flatMap((row, at) => {
    const item = items[at];
    return item === undefined || !isRead(item) || "fields" in row ? [] : [{ row, item }];
  });
  await keepEntries(actor, object, { told, unread: items.length - told.length, heard });
  return entries;
}

/** One page of the statement in the provider's order, whole civil days of São Paulo, with what is not known of it. */
export async function readStatement(actor: Actor, asking: Asking, limit = STATEMENT_PAGE_SIZE): Promise<Statement> {
  const { items, ...known } = await readEntries(actor, asking, limit);
  return { ...known, rows: toRows(items) };
}

type Onward = Pick<Statement, "hasNext" | "onward" | "doubts">;

/** Once it has told all that the period has, what it did not tell stands there no more. */
export async function* walkPages<Page extends Onward>(
  actor: Actor,
  asking: Asking,
  read: (asking: Asking) => Promise<Page>,
): AsyncGenerator<Page> {
  const { object, filter } = asking;
  const heard = beginHearing();
  let { page, first, after } = filter;
  let isWhole = page === 1 && !filter.pix;
  for (;;) {
    const found = await read({ ...asking, heard, filter: { ...filter, page, first, after } });
    // Who says no number of pages has come to the end where a page is empty.
    isWhole &&= found.doubts.every((doubt) => doubt === "total");
    if (!found.hasNext && isWhole) await keepWalk(actor, object, { period: filter, heard });
    yield found;
    if (!found.hasNext) return;
    page += 1;
    first = found.onward.first ?? undefined;
    after = found.onward.after;
  }
}

export const pagesOf = (actor: Actor, asking: Asking, read: typeof readStatement = readStatement) =>
  walkPages(actor, asking, (one) => read(actor, one, LONG_PAGE));
