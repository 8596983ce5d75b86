import type { Locale } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { record } from "@/lib/audit/record";
import { type Db, db } from "@/lib/db/connection";
import type { Actor } from "@/lib/permission/grant";
import { explainTold } from "@/lib/errors/explain";
import type { Told } from "@/lib/errors/result";
import type { Download } from "@/lib/query";
import { type CsvColumn, csvDecimal, csvLine, csvMinute, csvName, csvTable } from "@/lib/text/csv";
import { hrefWith } from "@/lib/text/page";
import { providerText } from "@/lib/text/provider-word";
import { SendFilter } from "./inputs";
import { type FiledSend, readSendSums, sendBatches } from "./sends-list";

type CsvWords = {
  say: Awaited<ReturnType<typeof getTranslations<"coins">>>;
  why: (told: Told) => string;
  locale: Locale;
};

const COLUMNS = [
  { name: "id", csv: ({ row }) => row.id },
  { name: "at", csv: ({ row }, { locale }) => csvMinute(row.at, locale) },
  { name: "state", csv: ({ row }, { say }) => say(`states.${row.state}`) },
  {
    name: "cause",
    csv: ({ row: { cause, state }, told, rejection }, { say, why }) => {
      if (cause !== null) return say(`causes.${cause}`);
      if (state === "REJECTED") return rejection ?? say("reasonForOthers");
      return told === null ? null : why(told);
    },
  },
  { name: "from", csv: ({ row }) => providerText(row.from.address) },
  { name: "fromLabel", csv: ({ row }) => row.from.label },
  { name: "to", csv: ({ row: { to } }, { say }) => (to === null ? say("unread") : providerText(to.address)) },
  { name: "toLabel", csv: ({ row }) => row.to?.label ?? null },
  { name: "network", csv: ({ row }) => row.order?.network ?? null },
  { name: "asset", csv: ({ row: { order } }) => (order === null ? null : providerText(order.asset)) },
  { name: "token", csv: ({ row: { token } }) => (token === null ? null : providerText(token)) },
  {
    name: "amount",
    csv: ({ row: { order } }, { say, locale }) => (order === null ? say("unread") : csvDecimal(order.amount, locale)),
  },
  { name: "who", csv: ({ row }) => row.byName },
  { name: "hash", csv: ({ row: { hash } }) => (hash === null ? null : providerText(hash.txHash)) },
  { name: "note", csv: () => null },
] as const satisfies readonly CsvColumn<FiledSend, CsvWords>[];

export type SendFileColumn = (typeof COLUMNS)[number]["name"];

type Filing = CsvWords & { reader: Actor<"wallets:read">; filter: SendFilter };

async function notesOf(store: Db, { reader, filter, say, locale }: Filing): Promise<string[]> {
  const { rows, apart, unread } = await readSendSums(store, reader, filter);
  const sums = rows.map(({ network, asset, token, done, open }) => {
    const named = token === null ? providerText(asset) : providerText(`${asset} ${token}`);
    return say("csv.sum", {
      asset: `${named} ${network}`,
      done: csvDecimal(done, locale),
      open: csvDecimal(open, locale),
    });
  });
  return [
    ...sums,
    ...(apart === 0 ? [] : [say("sums.apart", { count: apart })]),
    ...(unread === 0 ? [] : [say("sums.unread", { count: unread })]),
  ];
}

async function* linesOf(store: Db, filing: Filing): AsyncGenerator<string> {
  const { reader, filter, say, why, locale } = filing;
  const { head, line } = csvTable(COLUMNS, { say, why, locale }, (name) => say(`csv.${name}`));
  yield head;
  for await (const rows of sendBatches(store, reader, filter)) yield rows.map(line).join("");
  for (const note of await notesOf(store, filing))
    yield csvLine(
      COLUMNS.map(({ name }) => (name === "note" ? note : null)),
      locale,
    );
}

/** The filtered list as CSV, with its sums; on record before its first byte. */
export async function exportSendList(
  reader: Actor<"wallets:read">,
  given: Partial<SendFilter> = {},
): Promise<Download> {
  const { before: _, after: __, ...filter } = SendFilter.parse(given);
  const [store, t, say, locale] = await Promise.all([db(), getTranslations(), getTranslations("coins"), getLocale()]);
  const why = (told: Told) => explainTold(told, t);
  const { tenant, id } = reader;
  const detail = { format: "csv", filter: hrefWith("", filter) };
  await record(store, { tenant, actor: id, code: "coins.export", outcome: "DONE", detail });
  return {
    fileName: csvName(say("csv.file"), locale),
    contentType: "text/csv; charset=utf-8",
    parts: linesOf(store, { reader, filter, say, why, locale }),
  };
}
