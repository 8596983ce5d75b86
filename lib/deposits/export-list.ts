import type { Locale } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { record } from "@/lib/audit/record";
import { type Db, db } from "@/lib/db/connection";
import type { Actor } from "@/lib/permission/grant";
import type { Download } from "@/lib/query";
import { type CsvColumn, csvDay, csvDecimal, csvLine, csvMinute, csvName, csvTable } from "@/lib/text/csv";
import { hrefWith } from "@/lib/text/page";
import { providerText } from "@/lib/text/provider-word";
import { textVersion } from "./handled";
import { DepositFilter } from "./inputs";
import { depositBatches, readDepositSums } from "./list";
import { type DepositRow, meantBy } from "./view";

type CsvWords = { say: Awaited<ReturnType<typeof getTranslations<"deposits">>>; locale: Locale };

const COLUMNS = [
  { name: "id", csv: ({ id }) => id },
  { name: "class", csv: ({ class: standing }, { say }) => (standing === null ? null : say(`classes.${standing}`)) },
  { name: "cause", csv: ({ cause }, { say }) => (cause === null ? null : say(`causes.${cause}`)) },
  { name: "stage", csv: ({ stage }, { say }) => (stage === null ? null : say(`stages.${stage}`)) },
  { name: "reference", csv: ({ reference }) => reference },
  {
    name: "amount",
    csv: ({ amount, isExact }, { locale }) => (isExact ? csvDecimal(amount, locale) : providerText(amount)),
  },
  { name: "asset", csv: ({ asset }) => (asset === null ? null : providerText(asset)) },
  { name: "token", csv: ({ token }) => (token === null ? null : providerText(token)) },
  { name: "network", csv: ({ network }) => network },
  { name: "address", csv: ({ address }) => (address === null ? null : providerText(address)) },
  { name: "hash", csv: ({ hash }) => (hash === null ? null : providerText(hash)) },
  { name: "at", csv: ({ at }, { locale }) => csvMinute(at, locale) },
  { name: "due", csv: ({ dueAt }, { locale }) => (dueAt === null ? null : csvDay(dueAt, locale)) },
  { name: "age", csv: ({ ageDays }) => ageDays },
  { name: "owner", csv: ({ owner }) => owner?.name ?? null },
  { name: "reason", csv: ({ reason }, { say }) => (reason === null ? null : say(`reasons.${reason}`)) },
  { name: "note", csv: ({ note }) => note },
  { name: "version", csv: (row) => textVersion(row) },
  { name: "sum", csv: () => null },
] as const satisfies readonly CsvColumn<DepositRow, CsvWords>[];

export type DepositFileColumn = (typeof COLUMNS)[number]["name"];

type Filing = CsvWords & { reader: Actor<"wallets:read">; filter: DepositFilter };

async function sumLines(store: Db, { reader, filter, say, locale }: Filing): Promise<string[]> {
  const { sums, unsummed } = await readDepositSums(store, reader, filter);
  const named = sums.map(({ isAny, network, asset, token, arrived, open, expected }) => {
    const ofAny = say("meant", { by: meantBy(asset), asset: providerText(asset ?? "") });
    const ofTold = [asset ?? say("assetUntold"), token].filter((one) => one !== null).join(" ");
    const where = network ?? (isAny ? say("expect.anyNetwork") : say("networkUntold"));
    const name = `${isAny ? ofAny : providerText(ofTold)} ${where}`;
    return isAny
      ? say("csv.wantedLine", { asset: name, expected: csvDecimal(expected, locale) })
      : say("csv.sumLine", {
          asset: name,
          arrived: csvDecimal(arrived, locale),
          open: csvDecimal(open, locale),
          expected: csvDecimal(expected, locale),
        });
  });
  return [...named, ...(unsummed === 0 ? [] : [say("sums.unsummed", { count: unsummed })])];
}

async function* linesOf(store: Db, filing: Filing): AsyncGenerator<string> {
  const { reader, filter, say, locale } = filing;
  const { head, line } = csvTable(COLUMNS, { say, locale }, (name) => say(`csv.${name}`));
  yield head;
  for await (const rows of depositBatches(store, reader, filter)) yield rows.map(line).join("");
  for (const sum of await sumLines(store, filing))
    yield csvLine(
      COLUMNS.map(({ name }) => (name === "sum" ? sum : null)),
      locale,
    );
}

/** The filtered list as CSV, with its sums; on record before its first byte, but for what was searched. */
export async function exportDepositList(
  reader: Actor<"wallets:read">,
  given: Partial<DepositFilter> = {},
): Promise<Download> {
  const { before: _, after: __, ...filter } = DepositFilter.parse(given);
  const [store, say, locale] = await Promise.all([db(), getTranslations("deposits"), getLocale()]);
  const { tenant, id } = reader;
  const detail = { format: "csv", filter: hrefWith("", { ...filter, search: undefined }) };
  await record(store, { tenant, actor: id, code: "deposits.export", outcome: "DONE", detail });
  return {
    fileName: csvName(say("csv.file"), locale),
    contentType: "text/csv; charset=utf-8",
    parts: linesOf(store, { reader, filter, say, locale }),
  };
}
