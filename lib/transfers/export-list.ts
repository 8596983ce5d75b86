import type { Locale } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import type { Download } from "@/lib/query";
import { type Db, db } from "@/lib/db/connection";
import { CSV_START, csvDecimal, csvLine, csvName } from "@/lib/text/csv";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { formatDateTime } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { providerText } from "@/lib/text/provider-word";
import { type Reader, type ReadTransfer, transferBatches } from "./records";
import { TransferFilter } from "./inputs";

const COLUMNS = [
  "id",
  "kind",
  "state",
  "amount",
  "from",
  "to",
  "bank",
  "who",
  "at",
  "transactionId",
  "returnId",
  "antifraudId",
  "until",
  "code",
] as const;

type Say = Awaited<ReturnType<typeof getTranslations<"transfers">>>;

function lineOf({ row, sent }: ReadTransfer, say: Say, locale: Locale): string {
  const { id, kind, state, amount, from, to, byName, at, antifraudId, until, code } = row;
  return csvLine(
    [
      id,
      say(`kinds.${kind}`),
      say(`states.${state}`),
      amount === null ? say("amountUnread") : csvDecimal(amount, locale),
      providerText(from.name),
      to === null ? say("unread") : providerText(to.as === "account" ? to.name : `${to.name} ${to.document}`),
      to?.as === "recipient" ? `${to.bank ?? to.ispb} ${to.branch} / ${to.account}` : null,
      byName,
      formatDateTime(at, locale),
      providerText(sent?.transfer.transactionId ?? ""),
      providerText(sent?.transfer.returnId ?? ""),
      providerText(antifraudId ?? ""),
      until === null ? null : formatDateTime(until, locale),
      providerText(code ?? ""),
    ],
    locale,
  );
}

async function* linesOf(
  store: Db,
  reader: Reader,
  { filter, say, locale }: { filter: TransferFilter; say: Say; locale: Locale },
): AsyncGenerator<string> {
  yield `${CSV_START}${csvLine(
    COLUMNS.map((column) => say(`csv.${column}`)),
    locale,
  )}`;
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
    yield rows.map((row) => lineOf(row, say, locale)).join("");
  }
  for (const [name, { count, units, unknown }] of [
    ["total", total],
    ["confirmed", confirmed],
  ] as const) {
    const cells = COLUMNS.map((column) => {
      if (column === "id") return say(`csv.${name}`, { count });
      if (column === "amount") return csvDecimal(decimalOf(units), locale);
      return column === "state" && unknown > 0 ? say("sumUnknown", { count: unknown }) : null;
    });
    yield csvLine(cells, locale);
  }
}

/** The filtered list as CSV, recipients masked; on record before its first byte. */
export async function exportTransferList(
  actor: Actor<"statement:export">,
  given: Partial<TransferFilter>,
): Promise<Download> {
  const { page: _, ...filter } = TransferFilter.parse(given);
  const [store, say, locale] = await Promise.all([db(), getTranslations("transfers"), getLocale()]);
  const { tenant, id } = actor;
  const detail = { format: "csv", filter: hrefWith("", filter) };
  await record(store, { tenant, actor: id, code: "transfers.export", outcome: "DONE", detail });
  return {
    fileName: csvName(say("csv.file"), locale),
    contentType: "text/csv; charset=utf-8",
    parts: linesOf(store, actor, { filter: { ...filter, page: 1 }, say, locale }),
  };
}
