import { setImmediate as breathe, setTimeout as pause } from "node:timers/promises";
import { getLocale, getTranslations } from "next-intl/server";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { fold } from "@/lib/contract/fold";
import { type CsvColumn, csvDecimal, csvLine, csvTable } from "@/lib/text/csv";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { formatBrl, formatClock, formatCount, formatDate, formatTime, isZero, type Locale } from "@/lib/text/format";
import { sha256 } from "@/lib/text/decode";
import { civilDay, civilDaysAgo, civilInstant, minutesAhead, readTime } from "@/lib/text/time";
import { providerText } from "@/lib/text/provider-word";
import { letterheadOf } from "@/lib/pdf/letterhead";
import { Paper } from "@/lib/pdf/document";
import { tenantOf } from "@/lib/settings/env";
import { isBooked, readHolderName } from "./records";
import { filterValues, isSifted, StatementFilter } from "./inputs";
import {
  balancesByDay,
  matchesSearch,
  MAX_PAGES,
  type OpeningBalance,
  openingOf,
  readTotals,
  type Sums,
  tally,
  type Totals,
  unwritableFor,
} from "./search-statement";
import { type AccountRow, readHoldings } from "./standing";
import { entryText } from "./view";
import { type Asking, pagesOf, readStatement, type Statement, type StatementRow, type UnreadRow } from "./statement";

type AnyRow = Statement["rows"][number];

/** People at their screens need calls, too: of a long file this many pages are read at once, the others a second apart. */
const PAGES_AT_ONCE = 20;
const PACE_MS = 1_000;
const PATIENCE_MS = 180_000;

type Wait = (ms: number) => Promise<unknown>;

export function patientReader(wait: Wait = pause): typeof readStatement {
  let read = 0;
  return async function readPatiently(actor, asking, limit) {
    read += 1;
    if (read > PAGES_AT_ONCE) await wait(PACE_MS);
    for (let waitedMs = 0; ;) {
      try {
        return await readStatement(actor, asking, limit);
      } catch (error) {
        const isSpent = error instanceof AppError && error.kind === "rate-limited" && waitedMs < PATIENCE_MS;
        if (!isSpent) throw error;
        const ms = Math.max(error.details.retryAfterMs ?? 0, PACE_MS);
        await wait(ms);
        waitedMs += ms;
      }
    }
  };
}

/** Null where nothing tells it from another entry. */
const identityOf = (row: AnyRow): string | null =>
  "fields" in row || row.transactionId === ""
    ? null
    : [row.transactionId, row.date, row.amount, row.directionWord].join("\n");

/** How many entries a page begins with that ended the one before: as many newer ones came meanwhile. */
function countRepeated(before: readonly AnyRow[], rows: readonly AnyRow[]): number {
  const ids = before.map(identityOf);
  const heads = rows.map(identityOf);
  for (let count = Math.min(ids.length, heads.length); count > 0; count -= 1)
    if (ids.slice(-count).every((id, at) => id !== null && id === heads[at])) return count;
  return 0;
}

export async function* entriesOf(actor: Actor, asking: Asking): AsyncGenerator<AnyRow[]> {
  let before: readonly AnyRow[] = [];
  for await (const { rows, doubts } of pagesOf(actor, asking, patientReader())) {
    // A file that may lack entries must not look whole.
    if (doubts.some((doubt) => doubt !== "total")) throw new AppError("malformed", { code: "statement-incomplete" });
    yield rows.slice(countRepeated(before, rows)).filter((row) => matchesSearch(row, asking.filter));
    before = rows;
  }
}

const signed = ({ amount, direction }: StatementRow): string | null =>
  direction === null ? null : `${direction === "DEBIT" && !isZero(amount) ? "-" : ""}${amount.replace("-", "")}`;

export type EntryWords = {
  locale: Locale;
  headerOf: (name: EntryColumn) => string;
  unsigned: (count: number) => string;
  wordOf: (field: "type" | "direction" | "status", text: string) => string;
};

const COLUMNS = [
  { name: "date", csv: ({ date }, { locale }) => formatDate(date, locale) },
  { name: "time", csv: ({ date }, { locale }) => formatClock(date, locale) },
  { name: "description", csv: ({ description }) => description },
  { name: "type", csv: ({ type }, { wordOf }) => wordOf("type", type) },
  { name: "direction", csv: (row, { wordOf }) => wayOf(row, wordOf) },
  {
    name: "amount",
    csv: (row, { locale }) => {
      const amount = signed(row);
      return amount === null ? null : csvDecimal(amount, locale);
    },
  },
  { name: "status", csv: ({ status }, { wordOf }) => wordOf("status", status) },
  { name: "id", csv: ({ transactionId }) => transactionId },
  {
    name: "asTold",
    csv: (row) => (signed(row) === null ? `${row.amount} ${row.directionWord}`.trim() : null),
  },
] as const satisfies readonly CsvColumn<StatementRow, EntryWords>[];

type EntryColumn = (typeof COLUMNS)[number]["name"];

export async function entryWords(): Promise<EntryWords> {
  const [t, locale] = await Promise.all([getTranslations(), getLocale()]);
  return {
    locale,
    headerOf: (name) => t(`statement.csv.${name}`),
    unsigned: (count) => t("statement.csv.unsigned", { count }),
    wordOf: (field, text) => entryText(field, text, (word) => t(`statement.words.${word}`)),
  };
}

function wayOf({ direction, directionWord, unheardWord }: StatementRow, wordOf: EntryWords["wordOf"]): string {
  if (direction === null) return directionWord;
  const way = wordOf("direction", direction);
  return unheardWord === "" ? way : `${way} (${unheardWord})`;
}

function unreadLine({ fields }: UnreadRow, locale: Locale): string {
  const text = fields.map(({ path, value }) => `${path}: ${value}`).join("; ");
  return csvLine(
    COLUMNS.map(({ name }) => (name === "asTold" ? text : null)),
    locale,
  );
}

export async function* csvParts(actor: Actor, asking: Asking, words: EntryWords): AsyncGenerator<string> {
  const { head, line } = csvTable(COLUMNS, words, words.headerOf);
  yield head;
  let unsigned = 0;
  for await (const rows of entriesOf(actor, asking)) {
    unsigned += rows.filter((row) => "fields" in row || row.direction === null).length;
    yield rows.map((row) => ("fields" in row ? unreadLine(row, words.locale) : line(row))).join("");
  }
  if (unsigned > 0) yield csvLine([null, null, words.unsigned(unsigned)], words.locale);
}

const HEADER = [
  "OFXHEADER:100",
  "DATA:OFXSGML",
  "VERSION:102",
  "SECURITY:NONE",
  "ENCODING:USASCII",
  "CHARSET:1252",
  "COMPRESSION:NONE",
  "OLDFILEUID:NONE",
  "NEWFILEUID:NONE",
  "",
  "",
].join("\r\n");

/** What Windows-1252 has where Latin-1 has controls, by its byte. */
const OF_WINDOWS = new Map(
  Array.from("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ", (sign, at) => [sign, 0x80 + at] as const),
);

/** What the file's one-byte letters cannot say loses its marks, or becomes a question mark; what is markup becomes text. */
function ofxText(text: string, most: number): string {
  const oneByte = Array.from(text.normalize("NFC"), (sign) => {
    if (/[\u0020-\u007e\u00a1-\u00ff]/.test(sign)) return sign;
    if (!/\p{C}/u.test(sign) && OF_WINDOWS.has(sign)) return sign;
    const plain = fold(sign)
      .normalize("NFD")
      .replaceAll(/[^\u0020-\u007e]/g, "");
    return plain === "" && !/[\p{M}\p{C}]/u.test(sign) ? "?" : plain;
  });
  const short = oneByte.join("").trim().slice(0, most);
  return short.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const tag = (name: string, value: string) => `<${name}>${value}</${name}>\r\n`;

const digitsOf = (text: string) => text.replaceAll(/\D/g, "");

/** With the offset that São Paulo had then: in summers until 2019 another. */
function ofxInstant(instant: Date): string {
  const ahead = minutesAhead(instant) / 60;
  const iso = instant.toISOString();
  return `${digitsOf(civilDay(instant))}${digitsOf(formatTime(iso, "pt-BR"))}[${ahead}:${ahead === -2 ? "BRST" : "BRT"}]`;
}

function ofxTime(text: string): string {
  const read = readTime(text);
  if (read === null) throw new AppError("malformed", { code: "statement-undated" });
  return ofxInstant("instant" in read ? read.instant : civilInstant(`${read.day}T12:00:00`));
}

/** What never changes of an entry: its id; without one its time, amount and text. `times`: which of several alike. */
function fitidOf({ transactionId, ...entry }: StatementRow, accountId: string, times: number): string {
  const read = readTime(entry.date);
  const at = read === null ? entry.date : "day" in read ? read.day : read.instant.toISOString();
  const said = [at, entry.type, entry.direction, decimalOf(unitsOf(entry.amount)), entry.description];
  const hash = sha256([accountId, ...(transactionId === "" ? said : [transactionId]), times].join("\n")).slice(0, 16);
  return /^[\w.:-]{1,100}$/.test(transactionId) ? `${transactionId}-${hash}` : hash;
}

function ofxEntry(row: StatementRow, fitid: string): string {
  const amount = signed(row) ?? row.amount;
  const kind = row.type === "FEE" && row.direction === "DEBIT" ? "FEE" : row.direction;
  const memo = row.description === "" ? providerText(row.type) : row.description;
  return [
    "<STMTTRN>\r\n",
    tag("TRNTYPE", kind ?? "OTHER"),
    tag("DTPOSTED", ofxTime(row.date)),
    tag("TRNAMT", amount),
    tag("FITID", fitid),
    tag("MEMO", ofxText(memo, 255)),
    "</STMTTRN>\r\n",
  ].join("");
}

/** The provider does not tell which bank keeps the account, and a file must say one. */
const BANK_UNTOLD = "000";

const windows1252 = (text: string) =>
  Uint8Array.from(Array.from(text, (sign) => OF_WINDOWS.get(sign) ?? sign.charCodeAt(0)));

const NAMED_MAX = 10;

type OfxFrame = {
  head: string;
  end: (note: string) => string;
  leftOut: (count: number, missing: readonly AnyRow[]) => string;
};

export type OfxWriter = {
  head: () => Uint8Array;
  page: (rows: readonly AnyRow[]) => Uint8Array;
  end: () => Uint8Array;
};

function ofxWriter(accountId: string, { head, end, leftOut }: OfxFrame): OfxWriter {
  const seen = new Map<string, number>();
  const missing: AnyRow[] = [];
  let count = 0;
  return {
    head: () => windows1252(head),
    page(rows) {
      let text = "";
      for (const row of rows) {
        if (unwritableFor(row) !== null) {
          count += 1;
          if (missing.length < NAMED_MAX) missing.push(row);
        } else if (!("fields" in row) && isBooked(row)) {
          const first = fitidOf(row, accountId, 1);
          const times = (seen.get(first) ?? 0) + 1;
          seen.set(first, times);
          text += ofxEntry(row, times === 1 ? first : fitidOf(row, accountId, times));
        }
      }
      return windows1252(text);
    },
    end: () => windows1252(end(count === 0 ? "" : tag("MKTGINFO", ofxText(leftOut(count, missing), 2_000)))),
  };
}

const toldOf = (row: AnyRow): string =>
  "fields" in row
    ? row.fields.map(({ path, value }) => `${path}: ${value}`).join(", ")
    : [row.date, row.amount, row.directionWord, row.description, row.transactionId]
        .filter((text) => text !== "")
        .join(" ");

/** `leftOut`: the sentence for so many entries that OFX cannot say. */
export async function openOfx(
  actor: Actor,
  row: AccountRow,
  { filter, asked }: Asking,
  leftOut: (count: number) => string,
): Promise<OfxWriter> {
  const { balance, asOf } = await readHoldings({ actor, row });
  const { from, to } = filter;
  const status = `<STATUS>${tag("CODE", "0")}${tag("SEVERITY", "INFO")}</STATUS>\r\n`;
  const head = [
    HEADER,
    `<OFX>\r\n<SIGNONMSGSRSV1><SONRS>${status}`,
    tag("DTSERVER", ofxTime(asOf)),
    tag("LANGUAGE", "POR"),
    "</SONRS></SIGNONMSGSRSV1>\r\n<BANKMSGSRSV1><STMTTRNRS>\r\n",
    tag("TRNUID", "0"),
    `${status}<STMTRS>\r\n`,
    tag("CURDEF", "BRL"),
    "<BANKACCTFROM>\r\n",
    tag("BANKID", tenantOf(row.tenant)?.company?.bankId ?? BANK_UNTOLD),
    ...(row.branch === "" ? [] : [tag("BRANCHID", ofxText(row.branch, 22))]),
    tag("ACCTID", ofxText(row.number === "" ? row.accountId.replaceAll("-", "") : row.number, 22)),
    tag("ACCTTYPE", "CHECKING"),
    "</BANKACCTFROM>\r\n<BANKTRANLIST>\r\n",
    tag("DTSTART", ofxInstant(civilInstant(`${from}T00:00:00`))),
    tag("DTEND", ofxInstant(civilInstant(`${to}T23:59:59`))),
  ];
  const named = (count: number, missing: readonly AnyRow[]) => [leftOut(count), ...missing.map(toldOf)].join(" | ");
  const end = (note: string) =>
    [
      "</BANKTRANLIST>\r\n<LEDGERBAL>\r\n",
      tag("BALAMT", balance),
      tag("DTASOF", ofxTime(asOf)),
      `</LEDGERBAL>\r\n${note}</STMTRS></STMTTRNRS></BANKMSGSRSV1>\r\n</OFX>\r\n`,
    ].join("");
  return ofxWriter(asked.accountId, { head: head.join(""), end, leftOut: named });
}

async function* ofxOf(writer: OfxWriter, pages: AsyncGenerator<AnyRow[]>): AsyncGenerator<Uint8Array> {
  yield writer.head();
  for await (const rows of pages) yield writer.page(rows);
  yield writer.end();
}

export async function ofxParts(actor: Actor, row: AccountRow, asking: Asking): Promise<AsyncGenerator<Uint8Array>> {
  const say = await getTranslations("statement");
  const writer = await openOfx(actor, row, asking, (count) => say("ofx.leftOut", { count }));
  return ofxOf(writer, entriesOf(actor, asking));
}

type Words = EntryWords & { say: Awaited<ReturnType<typeof getTranslations<"statement">>> };

function filterText(
  { from: _from, to: _to, ...filter }: ReturnType<typeof filterValues>,
  { say, wordOf, locale }: Words,
) {
  const { direction, type, status, min, max, sought, pix } = filter;
  const named = [
    direction === undefined ? null : say(direction),
    type === undefined ? null : wordOf("type", type),
    status === undefined ? null : `${say("status")}: ${wordOf("status", status)}`,
    min === undefined ? null : `${say("min")}: ${formatBrl(min, locale)}`,
    max === undefined ? null : `${say("max")}: ${formatBrl(max, locale)}`,
    sought === undefined ? null : `${say("sought")}: ${sought}`,
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

function cellsOf(row: AnyRow, { locale, say, wordOf }: Words): string[] {
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
    `${shown}${way}`,
  ];
}

function printTotals(paper: Paper, { sums, gap, count, left }: Totals, { say, locale }: Words): void {
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

/** What came and went since the period ended; null where that is not known, or only a part of the entries is asked for. */
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

/** Only where nothing moved while the entries were read. */
function printBalances(paper: Paper, totals: Totals, held: Held, { say, locale }: Words): OpeningBalance | null {
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

function printDays(paper: Paper, opening: OpeningBalance, totals: Totals, { say, locale }: Words): void {
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
  for await (const { rows, doubts } of pagesOf(actor, asking, patientReader())) {
    const gap = doubts.some((doubt) => doubt !== "total") ? "doubt" : null;
    yield { rows: rows.filter((row) => matchesSearch(row, asking.filter)), gap };
  }
}

type Printing = { row: AccountRow; mask: string; filter: StatementFilter; holder: string | null; asOf: Date };

async function openPaper({ row, mask, filter, holder, asOf }: Printing, words: Words, isEndless: boolean) {
  const { say, locale } = words;
  const [from, to] = [formatDate(filter.from, locale), formatDate(filter.to, locale)];
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
  const narrowed = filterText(filterValues(filter), words);
  if (narrowed !== "") paper.fact(say("pdf.filters"), narrowed);
  return paper;
}

const BREATH_ROWS = 25;

/**
 * Up to two thousand entries with its totals at the head; what is longer is given away page by page, and adds up at its end.
 * What may lack entries says so. `isNamed`: the holder in clear.
 */
export async function* pdfParts(
  actor: Actor,
  { row, mask, isNamed }: { row: AccountRow; mask: string; isNamed: boolean },
  asking: Asking,
): AsyncGenerator<Uint8Array> {
  const words: Words = { ...(await entryWords()), say: await getTranslations("statement") };
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
