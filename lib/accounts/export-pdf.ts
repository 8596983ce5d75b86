import { setImmediate as breathe } from "node:timers/promises";
import { getTranslations } from "next-intl/server";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { formatBrl, formatClock, formatCount, formatDate, formatTime, isToTheCent } from "@/lib/text/format";
import { civilDay, civilDaysAgo } from "@/lib/text/time";
import { letterheadOf } from "@/lib/pdf/letterhead";
import { Paper } from "@/lib/pdf/document";
import { isBooked, readHolderName } from "./records";
import { statementFilterValues, isSifted, StatementFilter } from "./inputs";
import {
  balancesByDay,
  MAX_PAGES,
  type OpeningBalance,
  openingOf,
  readTotals,
  type Sums,
  tally,
  type Totals,
} from "./search-statement";
import { type AccountRow, readHoldings } from "./standing";
import type { Asking } from "./statement";
import { type AnyRow, entryPages, signed } from "./export";
import { type EntryWords, entryWords } from "./export-csv";

type PdfWords = EntryWords & { say: Awaited<ReturnType<typeof getTranslations<"statement">>> };

function filterText(
  { from: _from, to: _to, ...filter }: ReturnType<typeof statementFilterValues>,
  { say, wordOf, locale }: PdfWords,
) {
  const { direction, type, status, min, max, search, pix } = filter;
  const named = [
    direction === undefined ? null : say(direction),
    type === undefined ? null : wordOf("type", type),
    status === undefined ? null : `${say("status")}: ${wordOf("status", status)}`,
    min === undefined ? null : `${say("min")}: ${formatBrl(min, locale)}`,
    max === undefined ? null : `${say("max")}: ${formatBrl(max, locale)}`,
    search === undefined ? null : `${say("searchLabel")}: ${search}`,
    pix ? say("pdf.onlyPix") : null,
  ];
  return named.filter((text) => text !== null).join(" · ");
}

const PDF_COLUMNS = [
  { name: "date", share: 18 },
  { name: "description", share: 50 },
  { name: "type", share: 14 },
  { name: "amount", share: 20, isNumber: true },
] as const;

function cellsOf(row: AnyRow, { locale, say, wordOf, toldWord }: PdfWords): string[] {
  if ("fields" in row) {
    const text = row.fields.map(({ path, value }) => `${path}: ${value}`).join("; ");
    return ["", `${say("pdf.unread")} ${text}`, "", ""];
  }
  const { date, description, status, amount, direction, directionWord, unheardWord } = row;
  const time = `${formatDate(date, locale)} ${formatClock(date, locale)}`.trim();
  const what = description === "" ? say("noDescription") : description;
  const shown = formatBrl(signed(row) ?? amount, locale);
  const told = direction === null ? directionWord : unheardWord;
  const word = direction === null && told === "" ? say("pdf.undirected") : told;
  const way = word === "" ? "" : ` (${word})`;
  return [
    time,
    isBooked(row) ? what : `${what} (${wordOf("status", status)})`,
    wordOf("type", row.type),
    `${shown}${way}${isToTheCent(amount) ? "" : ` (${toldWord})`}`,
  ];
}

function printTotals(paper: Paper, { sums, gap, count, left }: Totals, { say, locale }: PdfWords): void {
  if (sums !== null) for (const side of ["in", "out"] as const) paper.fact(say(side), formatBrl(sums[side], locale));
  paper.fact(say("pdf.entries"), formatCount(count, locale));
  if (left > 0) paper.paragraph(say("left", { count: formatCount(left, locale) }));
  if (gap === "doubt") paper.paragraph(say("gap.doubt"));
}

type Holdings = Awaited<ReturnType<typeof readHoldings>>;

const heldNow = (actor: Actor, row: AccountRow): Promise<Holdings | null> =>
  readHoldings({ actor, row }).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });

const DAY_MS = 24 * 60 * 60 * 1000;
const dayAfter = (day: string) => civilDay(new Date(Date.parse(`${day}T12:00:00Z`) + DAY_MS));

/** The movement since the period ended; null when unknown or filtered. */
async function movedSince(actor: Actor, asking: Asking): Promise<Sums | null> {
  const { filter } = asking;
  const today = civilDaysAgo(0);
  if (filter.to >= today) return { in: "0.00", out: "0.00" };
  if (isSifted(filter) || filter.pix) return null;
  const since = { ...asking, filter: StatementFilter.parse({ from: dayAfter(filter.to), to: today }) };
  const totals = await readTotals(actor, since).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  return totals?.isClear === true ? totals.sums : null;
}

type Held = Record<"before" | "after", Holdings | null> & {
  since: Sums | null;
  filter: StatementFilter;
  openedAt: Date | null;
};

/** Balances fit the entries only when nothing moved while those were read. */
function printBalances(paper: Paper, totals: Totals, held: Held, { say, locale }: PdfWords): OpeningBalance | null {
  const { before, after, since, filter } = held;
  if (before === null || after === null || since === null || before.balance !== after.balance) return null;
  const balance = decimalOf(unitsOf(after.balance) - unitsOf(since.in) + unitsOf(since.out));
  const today = civilDaysAgo(0);
  const hasEnded = filter.to < today;
  const upToNow = hasEnded ? { ...filter, to: today } : filter;
  const openedAt = held.openedAt?.toISOString() ?? null;
  const opening = openingOf({ ...after, balance }, totals, { filter: upToNow, openedAt });
  if (opening === null || opening.blocked !== "none") return null;
  const at = { day: formatDate(after.asOf, locale), time: formatTime(after.asOf, locale) };
  const closing = hasEnded ? say("pdf.ended", { day: formatDate(filter.to, locale) }) : say("pdf.closing", at);
  paper.fact(say("pdf.opening", { day: formatDate(filter.from, locale) }), formatBrl(opening.balance, locale));
  paper.fact(closing, formatBrl(balance, locale));
  if (opening.unexplained !== null) paper.paragraph(`${say("unexplained")} ${formatBrl(opening.unexplained, locale)}`);
  return opening;
}

function printDays(paper: Paper, opening: OpeningBalance, totals: Totals, { say, locale }: PdfWords): void {
  const days = Object.entries(balancesByDay(opening, totals));
  if (days.length === 0) return;
  paper.heading(say("pdf.days"));
  const amount = { share: 24, isNumber: true };
  paper.columns([
    { label: say("csv.date"), share: 28 },
    { label: say("in"), ...amount },
    { label: say("out"), ...amount },
    { label: say("dayBalance"), ...amount },
  ]);
  for (const [day, balance] of days) {
    const moved = totals.days[day] ?? { in: "0.00", out: "0.00" };
    paper.row([formatDate(day, locale), ...[moved.in, moved.out, balance].map((one) => formatBrl(one, locale))]);
  }
}

type Paging = { rows: AnyRow[]; gap: Totals["gap"] };

async function* pagesForPaper(actor: Actor, asking: Asking): AsyncGenerator<Paging> {
  for await (const { rows, isDoubtful } of entryPages(actor, asking)) yield { rows, gap: isDoubtful ? "doubt" : null };
}

type Printing = { row: AccountRow; mask: string; filter: StatementFilter; holder: string | null; asOf: Date };

async function openPaper({ row, mask, filter, holder, asOf }: Printing, words: PdfWords, isEndless: boolean) {
  const { say, locale } = words;
  const from = formatDate(filter.from, locale);
  const to = formatDate(filter.to, locale);
  const account = say("pdf.account", { branch: row.branch, number: row.number });
  const paper = await Paper.open({
    title: say("pdf.title"),
    language: locale,
    printedAt: asOf,
    isEndless,
    head: `${say("pdf.title")} · ${account} · ${say("ofPeriod", { from, to })}`,
    footer: (page, pages) => (pages === null ? say("pdf.page", { page }) : say("pdf.pageOf", { page, pages })),
  });
  paper.letterhead(await letterheadOf(row.tenant));
  paper.title(say("pdf.title"), say("ofPeriod", { from, to }));
  paper.space();
  paper.fact(say("pdf.holder"), holder ?? say("pdf.holderUnread"));
  paper.fact(say("pdf.document"), mask);
  paper.fact(say("pdf.accountLabel"), account);
  const narrowed = filterText(statementFilterValues(filter), words);
  if (narrowed !== "") paper.fact(say("pdf.filters"), narrowed);
  return paper;
}

const BREATH_ROWS = 25;

/**
 * Up to two thousand entries, with totals at the head; longer ones are streamed with totals at the end. A possibly
 * incomplete file says so. `isNamed`: the holder in clear.
 */
export async function* pdfParts(
  actor: Actor,
  { row, mask, isNamed }: { row: AccountRow; mask: string; isNamed: boolean },
  asking: Asking,
): AsyncGenerator<Uint8Array> {
  const words: PdfWords = { ...(await entryWords()), say: await getTranslations("statement") };
  const { say, locale } = words;
  const { filter } = asking;
  const before = await heldNow(actor, row);
  const pages = pagesForPaper(actor, asking);
  const counted = tally();
  const early: AnyRow[] = [];
  let gap: Totals["gap"] = null;
  let next = await pages.next();
  const take = (page: Paging) => {
    for (const entry of page.rows) counted.add(entry);
    gap ??= page.gap;
    return page.rows;
  };
  for (let read = 1; next.done !== true && read <= MAX_PAGES; read += 1) {
    early.push(...take(next.value));
    next = await pages.next();
  }
  const isEndless = next.done !== true;
  const holder = await readHolderName(actor, row, isNamed).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  const asOf = new Date();
  const paper = await openPaper({ row, mask, filter, holder, asOf }, words, isEndless);
  const sumUp = async () => {
    const totals = counted.totals(gap);
    printTotals(paper, totals, words);
    const since = await movedSince(actor, asking);
    const held = { before, since, after: await heldNow(actor, row), filter, openedAt: row.createdAt };
    const opening = printBalances(paper, totals, held, words);
    if (opening !== null) printDays(paper, opening, totals, words);
  };
  if (isEndless) paper.paragraph(say("pdf.sumsAtEnd"));
  else await sumUp();
  paper.heading(say("pdf.entries"));
  paper.columns(PDF_COLUMNS.map(({ name, ...column }) => ({ ...column, label: say(`csv.${name}`) })));
  async function* print(rows: readonly AnyRow[]): AsyncGenerator<Uint8Array> {
    for (const [at, entry] of rows.entries()) {
      paper.row(cellsOf(entry, words));
      if (at % BREATH_ROWS === 0) await breathe();
    }
    if (isEndless) yield* paper.taken();
  }
  yield* print(early);
  for (; next.done !== true; next = await pages.next()) yield* print(take(next.value));
  if (isEndless) {
    paper.heading(say("pdf.summary"));
    await sumUp();
  }
  if (counted.totals(gap).count === 0) paper.paragraph(say("pdf.none"));
  paper.space();
  const at = asOf.toISOString();
  paper.quiet(say("pdf.issued", { day: formatDate(at, locale), time: formatTime(at, locale) }));
  yield await paper.end();
}
