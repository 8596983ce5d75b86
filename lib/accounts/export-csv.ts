import { getLocale, getTranslations } from "next-intl/server";
import type { Actor } from "@/lib/permission/grant";
import { type CsvColumn, csvDay, csvDecimal, csvLine, csvTable } from "@/lib/text/csv";
import { formatClock, isToTheCent, type Locale } from "@/lib/text/format";
import { entryText } from "./view";
import type { Asking, StatementRow, UnreadRow } from "./statement";
import { entriesOf, signed } from "./export";

function wayOf({ direction, directionWord, unheardWord }: StatementRow, wordOf: EntryWords["wordOf"]): string {
  if (direction === null) return directionWord;
  const way = wordOf("direction", direction);
  return unheardWord === "" ? way : `${way} (${unheardWord})`;
}

const COLUMNS = [
  { name: "date", csv: ({ date }, { locale }) => csvDay(date, locale) },
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
  {
    name: "status",
    csv: ({ status }, { wordOf, untoldStatus }) => (status === "" ? untoldStatus : wordOf("status", status)),
  },
  { name: "id", csv: ({ transactionId }) => transactionId },
  {
    name: "asTold",
    csv: (row, { toldWord }) => {
      if (signed(row) === null) return `${row.amount} ${row.directionWord}`.trim();
      return isToTheCent(row.amount) ? null : `${row.amount} (${toldWord})`;
    },
  },
  { name: "note", csv: () => null },
] as const satisfies readonly CsvColumn<StatementRow, EntryWords>[];

type EntryColumn = (typeof COLUMNS)[number]["name"];

export type EntryWords = {
  locale: Locale;
  headerOf: (name: EntryColumn) => string;
  unsigned: (count: number) => string;
  toldWord: string;
  /** A statement need not tell an entry's status, which its transaction's record may. */
  untoldStatus: string;
  wordOf: (field: "type" | "direction" | "status", text: string) => string;
};

export async function entryWords(): Promise<EntryWords> {
  const [t, locale] = await Promise.all([getTranslations(), getLocale()]);
  return {
    locale,
    headerOf: (name) => t(`statement.csv.${name}`),
    unsigned: (count) => t("statement.csv.unsigned", { count }),
    toldWord: t("common.asTold"),
    untoldStatus: t("statement.csv.statusUntold"),
    wordOf: (field, text) => entryText(field, text, (word) => t(`statement.words.${word}`)),
  };
}

const lineOf = (column: EntryColumn, text: string, locale: Locale): string =>
  csvLine(
    COLUMNS.map(({ name }) => (name === column ? text : null)),
    locale,
  );

const unreadLine = ({ fields }: UnreadRow, locale: Locale): string =>
  lineOf("asTold", fields.map(({ path, value }) => `${path}: ${value}`).join("; "), locale);

export async function* csvParts(actor: Actor, asking: Asking, words: EntryWords): AsyncGenerator<string> {
  const { head, line } = csvTable(COLUMNS, words, words.headerOf);
  yield head;
  let unsigned = 0;
  for await (const rows of entriesOf(actor, asking)) {
    unsigned += rows.filter((row) => "fields" in row || row.direction === null).length;
    yield rows.map((row) => ("fields" in row ? unreadLine(row, words.locale) : line(row))).join("");
  }
  if (unsigned > 0) yield lineOf("note", words.unsigned(unsigned), words.locale);
}
