import type { Actor } from "@/lib/permission/grant";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { isDecimal, isZero } from "@/lib/text/format";
import { folded } from "@/lib/text/typed";
import { dayOfIso, readIso } from "@/lib/text/time";
import { providerWord } from "@/lib/text/provider-word";
import { isBooked } from "./records";
import { isSifted, reachesNow, STATEMENT_PAGE_SIZE, type StatementFilter } from "./inputs";
import { type Asking, pagesOf, readStatement, type Statement, type StatementRow } from "./statement";

/** Pages read for one view; the search continues when the person asks. */
export const MAX_PAGES = 4;

type AnyRow = Statement["rows"][number];

/** The size without its sign, as the direction is separate. */
const sizeOf = ({ amount }: Pick<StatementRow, "amount">) => unitsOf(amount.replace("-", ""));

/** Whether an entry matches the filter; an unreadable one always does, as it may. */
export function entryMatches(row: AnyRow, filter: StatementFilter): boolean {
  if ("fields" in row) return true;
  const { direction, type, status, min, max, search } = filter;
  const amount = sizeOf(row);
  return (
    (direction === undefined || row.direction === (direction === "in" ? "CREDIT" : "DEBIT")) &&
    (type === undefined || folded(providerWord(row.type)) === folded(type)) &&
    (status === undefined || folded(row.status) === folded(status)) &&
    (min === undefined || amount >= unitsOf(min)) &&
    (max === undefined || amount <= unitsOf(max)) &&
    (search === undefined || folded(`${row.description}\n${row.transactionId}`).includes(folded(search)))
  );
}

type Next = Partial<Pick<StatementFilter, "page" | "skip" | "first" | "after">>;

export type Sifted = Pick<Statement, "rows" | "doubts" | "asOf"> & {
  next: Next | null;
  searched: number;
  reached: string | null;
};

const lastDay = (rows: readonly AnyRow[]): string | null => {
  const last = rows.findLast((row) => "date" in row);
  return last === undefined ? null : dayOfIso(last.date);
};

export async function sift(actor: Actor, asking: Asking): Promise<Sifted> {
  const { filter } = asking;
  const found: Sifted = { rows: [], doubts: [], asOf: "", next: null, searched: 0, reached: null };
  let read = 0;
  for await (const { rows, page, doubts, asOf, hasNext, onward } of pagesOf(actor, asking)) {
    const fitting = rows.filter((row) => entryMatches(row, filter));
    const skip = read === 0 ? filter.skip : 0;
    const taken = fitting.slice(skip, skip + STATEMENT_PAGE_SIZE - found.rows.length);
    found.rows.push(...taken);
    found.doubts.push(...doubts.filter((doubt) => !found.doubts.includes(doubt)));
    found.asOf = asOf;
    found.searched += rows.length;
    read += 1;
    const first = onward.first ?? undefined;
    const isRest = skip + taken.length < fitting.length;
    if (isRest) found.next = { page, skip: skip + taken.length, first, after: read === 1 ? filter.after : undefined };
    else if (hasNext) found.next = { page: page + 1, skip: 0, first, after: onward.after };
    else found.next = null;
    if (isRest || found.rows.length === STATEMENT_PAGE_SIZE || read === MAX_PAGES) {
      found.reached = found.next === null ? null : lastDay(rows);
      break;
    }
  }
  return found;
}

/** Why no file can contain the entry with its day and signed amount; null when it can, or is not booked. */
export function unwritableFor(row: AnyRow): "unread" | "undirected" | "undated" | null {
  if ("fields" in row) return "unread";
  if (!isBooked(row)) return null;
  if (row.direction === null || !isDecimal(row.amount)) return "undirected";
  return readIso(row.date) === null ? "undated" : null;
}

export type Sums = { in: string; out: string };

export type Totals = {
  sums: Sums | null;
  gap: "long" | "doubt" | null;
  days: Readonly<Record<string, Sums>>;
  count: number;
  left: number;
  unwritable: number;
  /** Every entry was readable, and each booked one has a direction. */
  isClear: boolean;
  statuses: string[];
};

/**
 * The balance when a period began, including blocked amounts; `unexplained`: for an account opened in the period, the
 * amount that no entry explains. `blocked`: whether the provider's balance excludes that amount (`apart`), includes it
 * (`within`), or is assumed to exclude it (`assumed`).
 */
export type OpeningBalance = {
  balance: string;
  unexplained: string | null;
  blocked: "none" | "apart" | "within" | "assumed";
};

type AccountBalance = { balance: string; blockedBalance: string };
type Period = { filter: StatementFilter; openedAt: string | null };

/** Counted back from the current balance. Null when unknown: for a past period or a filtered list. */
export function openingOf(
  { balance, blockedBalance }: AccountBalance,
  totals: Totals,
  { filter, openedAt }: Period,
): OpeningBalance | null {
  const { sums, isClear } = totals;
  const isReadable = isDecimal(balance) && isDecimal(blockedBalance);
  if (sums === null || !isClear || !reachesNow(filter) || !isReadable) return null;
  const moved = unitsOf(sums.in) - unitsOf(sums.out);
  const within = unitsOf(balance) - moved;
  const apart = unitsOf(balance) + unitsOf(blockedBalance) - moved;
  // An account opened at zero within the period shows whether its balance includes blocked amounts.
  const isSinceOpened = openedAt !== null && dayOfIso(openedAt) >= filter.from;
  const told = !isSinceOpened ? "assumed" : apart === 0n ? "apart" : within === 0n ? "within" : "assumed";
  const opening = decimalOf(told === "within" ? within : apart);
  return {
    balance: opening,
    unexplained: isSinceOpened && !isZero(opening) ? opening : null,
    blocked: isZero(blockedBalance) ? "none" : told,
  };
}

/** The balance at the end of each day with entries. */
export function balancesByDay(
  { balance }: OpeningBalance,
  { days }: Pick<Totals, "days">,
): Readonly<Record<string, string>> {
  let held = unitsOf(balance);
  const moved = Object.entries(days).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    moved.map(([day, sums]) => {
      held += unitsOf(sums.in) - unitsOf(sums.out);
      return [day, decimalOf(held)];
    }),
  );
}

type Counting = Record<"in" | "out", bigint>;

export function tally() {
  const days = new Map<string, Counting>();
  const all: Counting = { in: 0n, out: 0n };
  const statuses = new Set<string>();
  let count = 0;
  let left = 0;
  let unwritable = 0;
  let isClear = true;
  const sumsOf = (counted: Counting): Sums => ({ in: decimalOf(counted.in), out: decimalOf(counted.out) });
  return {
    add(row: AnyRow): void {
      count += 1;
      if (unwritableFor(row) !== null) unwritable += 1;
      if ("status" in row && row.status !== "") statuses.add(row.status);
      if ("fields" in row || row.direction === null || !isBooked(row)) {
        if ("fields" in row || isBooked(row)) isClear = false;
        left += 1;
        return;
      }
      const side = row.direction === "CREDIT" ? "in" : "out";
      const day = dayOfIso(row.date);
      const counted = days.get(day) ?? { in: 0n, out: 0n };
      counted[side] += sizeOf(row);
      all[side] += sizeOf(row);
      days.set(day, counted);
    },
    totals: (gap: Totals["gap"]): Totals => ({
      sums: gap === null ? sumsOf(all) : null,
      gap,
      days: gap === null ? Object.fromEntries([...days].map(([day, counted]) => [day, sumsOf(counted)])) : {},
      count,
      left,
      unwritable,
      isClear,
      statuses: [...statuses].toSorted(),
    }),
  };
}

type Whole = { rows: AnyRow[]; gap: Totals["gap"]; asOf: string };

async function readWhole(actor: Actor, asking: Asking): Promise<Whole> {
  const { filter } = asking;
  const first = { ...asking, filter: { ...filter, page: 1, skip: 0, first: undefined, after: undefined } };
  const whole: Whole = { rows: [], gap: null, asOf: "" };
  let read = 0;
  for await (const { rows, hasNext, doubts, asOf } of pagesOf(actor, first)) {
    whole.rows.push(...rows);
    whole.asOf = whole.asOf === "" ? asOf : whole.asOf;
    read += 1;
    // A provider without a page count ends at an empty page.
    if (doubts.some((doubt) => doubt !== "total")) return { ...whole, gap: "doubt" };
    if (hasNext && read === MAX_PAGES) return { ...whole, gap: "long" };
  }
  return whole;
}

function totalsOf({ rows, gap }: Whole, filter: StatementFilter): Totals {
  const counted = tally();
  for (const row of rows) if (entryMatches(row, filter)) counted.add(row);
  return counted.totals(gap);
}

export const readTotals = async (actor: Actor, asking: Asking): Promise<Totals> =>
  totalsOf(await readWhole(actor, asking), asking.filter);

function pageIn({ rows, asOf }: Whole, { from, to, pix, page: wanted }: StatementFilter): Statement {
  const totalPages = Math.max(1, Math.ceil(rows.length / STATEMENT_PAGE_SIZE));
  const page = Math.min(wanted, totalPages);
  const shown = rows.slice((page - 1) * STATEMENT_PAGE_SIZE, page * STATEMENT_PAGE_SIZE);
  const onward = { first: null, after: "" };
  return { rows: shown, page, totalPages, hasNext: page < totalPages, doubts: [], onward, asOf, from, to, pix };
}

function siftedIn({ rows, asOf }: Whole, filter: StatementFilter): Sifted {
  const fitting = rows.filter((row) => entryMatches(row, filter));
  const end = filter.skip + STATEMENT_PAGE_SIZE;
  const shown = fitting.slice(filter.skip, end);
  const next = end < fitting.length ? { page: 1, skip: end } : null;
  return { rows: shown, doubts: [], asOf, next, searched: rows.length, reached: next && lastDay(shown) };
}

export type StatementView = { totals: Totals; shown: Statement | null; sifted: Sifted | null };

/** Rows, sums and paging from one answer when it holds the whole period; else the rows are read separately. */
export async function readView(actor: Actor, asking: Asking): Promise<StatementView> {
  const { filter } = asking;
  const whole = await readWhole(actor, asking);
  const totals = totalsOf(whole, filter);
  const isAll = whole.gap === null && (filter.page === 1 || !isSifted(filter));
  if (isSifted(filter))
    return { totals, shown: null, sifted: isAll ? siftedIn(whole, filter) : await sift(actor, asking) };
  return { totals, shown: isAll ? pageIn(whole, filter) : await readStatement(actor, asking), sifted: null };
}
