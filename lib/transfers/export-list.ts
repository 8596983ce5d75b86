import type { Locale } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { record } from "@/lib/audit/record";
import { rejectionsOf } from "@/lib/approvals/visible";
import type { Actor } from "@/lib/permission/grant";
import { explainTold } from "@/lib/errors/explain";
import type { Told } from "@/lib/errors/result";
import { toldOf } from "@/lib/provider/intents/told";
import type { Download } from "@/lib/query";
import { type Db, db } from "@/lib/db/connection";
import { type CsvColumn, csvDecimal, csvLine, csvMinute, csvName, csvTable } from "@/lib/text/csv";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { hrefWith } from "@/lib/text/page";
import { providerText } from "@/lib/text/provider-word";
import type { Reader, ReadTransfer } from "./records";
import { transferBatches } from "./list";
import { TransferFilter } from "./inputs";

type CsvWords = {
  say: Awaited<ReturnType<typeof getTranslations<"transfers">>>;
  why: (told: Told) => string;
  locale: Locale;
};

type FiledTransfer = ReadTransfer & { rejection: string | null };

const COLUMNS = [
  { name: "id", csv: ({ row }) => row.id },
  { name: "kind", csv: ({ row }, { say }) => say(`kinds.${row.kind}`) },
  { name: "state", csv: ({ row }, { say }) => say(`states.${row.state}`) },
  {
    name: "amount",
    csv: ({ row: { amount } }, { say, locale }) => (amount === null ? say("amountUnread") : csvDecimal(amount, locale)),
  },
  { name: "from", csv: ({ row }) => providerText(row.from.name) },
  {
    name: "to",
    csv: ({ row: { to } }, { say }) =>
      to === null ? say("unread") : providerText(to.as === "account" ? to.name : `${to.name} ${to.document}`),
  },
  {
    name: "bank",
    csv: ({ row: { to } }) => (to?.as === "recipient" ? `${to.bank ?? to.ispb} ${to.branch} / ${to.account}` : null),
  },
  { name: "who", csv: ({ row }) => row.byName },
  { name: "at", csv: ({ row }, { locale }) => csvMinute(row.at, locale) },
  { name: "transactionId", csv: ({ sent }) => providerText(sent?.transfer.transactionId ?? "") },
  { name: "returnId", csv: ({ sent }) => providerText(sent?.transfer.returnId ?? "") },
  { name: "antifraudId", csv: ({ row }) => providerText(row.antifraudId ?? "") },
  {
    name: "until",
    csv: ({ row: { until } }, { locale }) => (until === null ? null : csvMinute(until, locale)),
  },
  {
    name: "reason",
    csv: ({ row, sent, rejection }, { say, why }) => {
      if (row.state === "DECLINED") return rejection ?? say("reasonForOthers");
      const told = sent === undefined ? null : toldOf(sent.intent);
      return told === null ? null : why(told);
    },
  },
  { name: "code", csv: ({ row }) => providerText(row.code ?? "") },
  { name: "note", csv: () => null },
] as const satisfies readonly CsvColumn<FiledTransfer, CsvWords>[];

export type TransferFileColumn = (typeof COLUMNS)[number]["name"];

async function* linesOf(
  store: Db,
  reader: Reader,
  { filter, ...words }: CsvWords & { filter: TransferFilter },
): AsyncGenerator<string> {
  const { say, locale } = words;
  const { head, line } = csvTable(COLUMNS, words, (name) => say(`csv.${name}`));
  yield head;
  const total = { count: 0, units: 0n, unknown: 0 };
  const confirmed = { count: 0, units: 0n, unknown: 0 };
  for await (const rows of transferBatches(store, reader, filter)) {
    for (const { row } of rows) {
      for (const one of row.state === "CONFIRMED" ? [total, confirmed] : [total]) {
        one.count += 1;
        if (row.amount === null) one.unknown += 1;
        else one.units += unitsOf(row.amount);
      }
    }
    const declined = rows.flatMap(({ row }) => (row.state === "DECLINED" ? [row.id] : []));
    const rejections = await rejectionsOf(store, reader, declined);
    yield rows.map((one) => line({ ...one, rejection: rejections.get(one.row.id) ?? null })).join("");
  }
  for (const [name, { count, units, unknown }] of [
    ["total", total],
    ["confirmed", confirmed],
  ] as const) {
    const sum = `${say(`csv.${name}`, { count })}: BRL ${csvDecimal(decimalOf(units), locale)}`;
    const note = unknown === 0 ? sum : `${sum} · ${say("sumUnknown", { count: unknown })}`;
    yield csvLine(
      COLUMNS.map((column) => (column.name === "note" ? note : null)),
      locale,
    );
  }
}

/** The filtered list as CSV, recipients masked; audited before its first byte. */
export async function exportTransferList(
  actor: Actor<"statement:export">,
  given: Partial<TransferFilter>,
): Promise<Download> {
  const { page: _, ...filter } = TransferFilter.parse(given);
  const [store, t, say, locale] = await Promise.all([
    db(),
    getTranslations(),
    getTranslations("transfers"),
    getLocale(),
  ]);
  const why = (told: Told) => explainTold(told, t);
  const { tenant, id } = actor;
  const detail = { format: "csv", filter: hrefWith("", filter) };
  await record(store, { tenant, actor: id, code: "transfers.export", outcome: "DONE", detail });
  return {
    fileName: csvName(say("csv.file"), locale),
    contentType: "text/csv; charset=utf-8",
    parts: linesOf(store, actor, { filter: { ...filter, page: 1 }, say, why, locale }),
  };
}
