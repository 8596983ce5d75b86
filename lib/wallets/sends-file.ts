import type { Locale } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { record } from "@/lib/audit/record";
import { type Db, db } from "@/lib/db/connection";
import type { Actor } from "@/lib/permission/grant";
import type { Download } from "@/lib/query";
import { type CsvColumn, csvDecimal, csvLine, csvName, csvTable } from "@/lib/text/csv";
import { formatCrypto, formatDateTime } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { providerText } from "@/lib/text/provider-word";
import { SendFilter } from "./inputs";
import { readSendSums, sendBatches } from "./sends-list";
import type { SendRow } from "./sends-view";

type CsvWords = { say: Awaited<ReturnType<typeof getTranslations<"coins">>>; locale: Locale };

const COLUMNS = [
  { name: "id", csv: ({ id }) => id },
  { name: "at", csv: ({ at }, { locale }) => formatDateTime(at, locale) },
  { name: "state", csv: ({ state }, { say }) => say(`states.${state}`) },
  { name: "cause", csv: ({ cause }, { say }) => (cause === null ? null : say(`causes.${cause}`)) },
  { name: "from", csv: ({ from }) => providerText(from.address) },
  { name: "fromLabel", csv: ({ from }) => from.label },
  { name: "to", csv: ({ to }, { say }) => (to === null ? say("unread") : providerText(to.address)) },
  { name: "toLabel", csv: ({ to }) => to?.label ?? null },
  { name: "network", csv: ({ order }) => order?.network ?? null },
  { name: "asset", csv: ({ order }) => (order === null ? null : providerText(order.asset)) },
  { name: "token", csv: ({ token }) => (token === null ? null : providerText(token)) },
  {
    name: "amount",
    csv: ({ order }, { say, locale }) => (order === null ? say("unread") : csvDecimal(order.amount, locale)),
  },
  { name: "who", csv: ({ byName }) => byName },
  { name: "hash", csv: ({ hash }) => (hash === null ? null : providerText(hash.txHash)) },
  { name: "note", csv: () => null },
] as const satisfies readonly CsvColumn<SendRow, CsvWords>[];

export type SendFileColumn = (typeof COLUMNS)[number]["name"];

type Filing = CsvWords & { reader: Actor<"wallets:read">; filter: SendFilter };

async function notesOf(store: Db, { reader, filter, say, locale }: Filing): Promise<string[]> {
  const { rows, apart, unread } = await readSendSums(store, reader.tenant, filter);
  const sums = rows.map(({ network, asset, token, done, open }) => {
    const named = token === null ? providerText(asset) : providerText(`${asset} ${token}`);
    return say("csv.sum", {
      asset: `${named} ${network}`,
      done: formatCrypto(done, locale),
      open: formatCrypto(open, locale),
    });
  });
  return [
    ...sums,
    ...(apart === 0 ? [] : [say("sums.apart", { count: apart })]),
    ...(unread === 0 ? [] : [say("sums.unread", { count: unread })]),
  ];
}

async function* linesOf(store: Db, filing: Filing): AsyncGenerator<string> {
  const { reader, filter, say, locale } = filing;
  const { head, line } = csvTable(COLUMNS, { say, locale }, (name) => say(`csv.${name}`));
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
  const [store, say, locale] = await Promise.all([db(), getTranslations("coins"), getLocale()]);
  const { tenant, id } = reader;
  const detail = { format: "csv", filter: hrefWith("", filter) };
  await record(store, { tenant, actor: id, code: "coins.export", outcome: "DONE", detail });
  return {
    fileName: csvName(say("csv.file"), locale),
    contentType: "text/csv; charset=utf-8",
    parts: linesOf(store, { reader, filter, say, locale }),
  };
}
