import { getLocale, getTranslations } from "next-intl/server";
import { record } from "@/lib/audit/record";
import { type Db, db } from "@/lib/db/connection";
import type { Actor } from "@/lib/permission/grant";
import type { Download } from "@/lib/query";
import { type CsvColumn, csvDecimal, csvLine, csvMinute, csvName, csvTable } from "@/lib/text/csv";
import type { Locale } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { providerText } from "@/lib/text/provider-word";
import { SentFilter } from "./inputs";
import { sentRows, sumSent } from "./sent-list";
import type { SentRow } from "./sent-view";

type CsvWords = {
  say: Awaited<ReturnType<typeof getTranslations<never>>>;
  locale: Locale;
};

const coinOf = (sent: SentRow) => (sent.kind === "coins" ? sent.row.order : null);

function payeeOf(sent: SentRow): string | null {
  const { kind, row } = sent;
  if (row.to === null) return null;
  if (kind === "coins") return row.to.address;
  return row.to.as === "account" ? row.to.name : `${row.to.name} ${row.to.document}`;
}

const COLUMNS = [
  { name: "at", csv: ({ row }, { locale }) => csvMinute(row.at, locale) },
  { name: "who", csv: ({ row }) => row.byName },
  {
    name: "kind",
    csv: (sent, { say }) => say(sent.kind === "coins" ? "sent.kinds.COINS" : `sent.kinds.${sent.row.kind}`),
  },
  {
    name: "state",
    csv: (sent, { say }) =>
      say(sent.kind === "coins" ? `coins.states.${sent.row.state}` : `transfers.states.${sent.row.state}`),
  },
  {
    name: "amount",
    csv: (sent, { locale }) => {
      const amount = sent.kind === "coins" ? (sent.row.order?.amount ?? null) : sent.row.amount;
      return amount === null ? null : csvDecimal(amount, locale);
    },
  },
  { name: "asset", csv: (sent) => (sent.kind === "reais" ? "BRL" : providerText(coinOf(sent)?.asset ?? "")) },
  { name: "network", csv: (sent) => coinOf(sent)?.network ?? null },
  { name: "token", csv: (sent) => (sent.kind === "coins" ? providerText(sent.row.token ?? "") : null) },
  {
    name: "from",
    csv: (sent) => providerText(sent.kind === "coins" ? sent.row.from.address : sent.row.from.name),
  },
  { name: "to", csv: (sent, { say }) => providerText(payeeOf(sent) ?? say("transfers.unread")) },
  { name: "id", csv: ({ row }) => row.id },
  { name: "note", csv: () => null },
] as const satisfies readonly CsvColumn<SentRow, CsvWords>[];

export type SentFileColumn = (typeof COLUMNS)[number]["name"];

type Filing = CsvWords & { reader: Actor<"statement:export">; filter: SentFilter };

async function* linesOf(store: Db, { reader, filter, say, locale }: Filing): AsyncGenerator<string> {
  const { head, line } = csvTable(COLUMNS, { say, locale }, (name) => say(`sent.csv.${name}`));
  yield head;
  for await (const row of sentRows(store, reader, filter)) yield line(row);
  const { rows, apart, unread } = await sumSent(store, reader, filter);
  const sums = rows.map(({ coin, done, open, returned }) =>
    say("sent.csv.sum", {
      asset: coin === undefined ? "BRL" : providerText(`${coin.asset} ${coin.token ?? ""} ${coin.network}`),
      done: csvDecimal(done, locale),
      open: csvDecimal(open, locale),
      returned: csvDecimal(returned, locale),
    }),
  );
  const notes = [
    ...sums,
    ...(apart === 0 ? [] : [say("sent.apart", { count: apart })]),
    ...(unread === 0 ? [] : [say("sent.amountsUnread", { count: unread })]),
  ];
  for (const note of notes)
    yield csvLine(
      COLUMNS.map(({ name }) => (name === "note" ? note : null)),
      locale,
    );
}

/** The filtered list as CSV with its sums, payees masked; on record before its first byte. */
export async function exportSentList(
  reader: Actor<"statement:export">,
  given: Record<string, unknown>,
): Promise<Download> {
  const filter = { ...SentFilter.parse(given), page: 1 };
  const [store, say, locale] = await Promise.all([db(), getTranslations(), getLocale()]);
  const { tenant, id } = reader;
  const detail = { format: "csv", filter: hrefWith("", { ...filter, page: undefined }) };
  await record(store, { tenant, actor: id, code: "transfers.export", outcome: "DONE", detail });
  return {
    fileName: csvName(say("sent.csv.file"), locale),
    contentType: "text/csv; charset=utf-8",
    parts: linesOf(store, { reader, filter, say, locale }),
  };
}
