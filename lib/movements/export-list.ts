import { getLocale, getTranslations } from "next-intl/server";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import type { Download } from "@/lib/query";
import { type Db, db } from "@/lib/db/connection";
import { type CsvColumn, csvDecimal, csvLine, csvMinute, csvName, csvTable } from "@/lib/text/csv";
import { formatDateTime, type Locale } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { entryText } from "@/lib/accounts/view";
import { movementDirection } from "@/lib/wallets/view";
import { MovementFilter, movementSearch } from "./inputs";
import { movementBatches } from "./list";
import { summarizeMovements } from "./sums";
import { wholenessOf, type ListedMovement, type MovementSummary, outsideOf } from "./view";

type CsvWords = {
  say: Awaited<ReturnType<typeof getTranslations<"movements">>>;
  typeOf: (type: string) => string;
  locale: Locale;
};

const COLUMNS = [
  { name: "at", csv: ({ at }, { locale }) => (at === null ? null : csvMinute(at, locale)) },
  { name: "source", csv: ({ source }) => providerText(source.label) },
  { name: "direction", csv: ({ direction }, { say }) => (direction === null ? null : say(`directions.${direction}`)) },
  {
    name: "amount",
    csv: ({ amount, isExact }, { locale }) => (isExact ? csvDecimal(amount, locale) : null),
  },
  { name: "asset", csv: ({ coin }, { say }) => (coin === undefined ? "BRL" : (coin.asset ?? say("assetUntold"))) },
  { name: "network", csv: ({ coin }) => coin?.network ?? null },
  { name: "token", csv: ({ coin }) => coin?.token ?? null },
  { name: "type", csv: ({ type }, { typeOf }) => typeOf(type) },
  { name: "standing", csv: ({ standing }, { say }) => say(`standings.${standing}`) },
  { name: "text", csv: ({ text }) => (text === null ? null : providerText(text)) },
  { name: "counterpart", csv: ({ counterpart }) => (counterpart === null ? null : providerText(counterpart)) },
  { name: "id", csv: ({ id }) => providerText(id) },
  { name: "asTold", csv: ({ amount, isExact }) => (isExact ? null : providerText(amount)) },
  { name: "own", csv: ({ isOwn, other }, { say }) => (isOwn ? providerText(other?.label ?? say("own")) : null) },
  {
    name: "note",
    csv: ({ returnedAt }, { say }) => (returnedAt === null ? null : say("list.returned")),
  },
] as const satisfies readonly CsvColumn<ListedMovement, CsvWords>[];

export type MovementFileColumn = (typeof COLUMNS)[number]["name"];

const BATCH_ROWS = 500;

async function* linesOf(
  store: Db,
  actor: Actor<"statement:export">,
  { filter, summary, say, typeOf, locale }: CsvWords & { filter: MovementFilter; summary: MovementSummary },
): AsyncGenerator<string> {
  const { head, line } = csvTable(COLUMNS, { say, typeOf, locale }, (name) => say(`csv.${name}`));
  yield head;
  for await (const rows of movementBatches(store, actor, filter, BATCH_ROWS)) yield rows.map(line).join("");
  const note = (text: string) =>
    csvLine(
      COLUMNS.map(({ name }) => (name === "note" ? text : null)),
      locale,
    );
  for (const sum of summary.assets) {
    const { coin, count, own, unsigned } = sum;
    const outside = outsideOf(sum);
    const asset =
      coin === undefined ? "BRL" : `${coin.asset ?? say("assetUntold")} ${coin.token ?? ""} ${coin.network}`;
    yield note(
      say("csv.total", {
        asset: providerText(asset),
        count,
        in: csvDecimal(outside.in, locale),
        out: csvDecimal(outside.out, locale),
        ownIn: csvDecimal(own.in, locale),
        ownOut: csvDecimal(own.out, locale),
        unsigned,
      }),
    );
  }
  const whole = wholenessOf(summary, filter);
  const { completeUntil, sources, gaps } = summary;
  const time = completeUntil === null ? "" : formatDateTime(completeUntil, locale);
  if (whole !== "completeUntil") yield note(say(whole, { time, whole: sources - gaps.count, count: sources }));
  for (const { label, why, until } of summary.gaps.named)
    yield note(
      until === null
        ? say("csv.gapNever", { source: providerText(label), why: say(`gaps.${why}`) })
        : say("csv.gap", {
            source: providerText(label),
            why: say(`gaps.${why}`),
            until: formatDateTime(until, locale),
          }),
    );
  if (summary.gaps.count > summary.gaps.named.length)
    yield note(say("gapsMore", { count: summary.gaps.count - summary.gaps.named.length }));
}

/** The filtered list as CSV, with its sums and what was not read at its end; on record before its first byte, but for the words looked for. */
export async function exportMovementList(
  actor: Actor<"statement:export">,
  given: Record<string, unknown>,
): Promise<Download> {
  const filter = { ...MovementFilter.parse(given), before: undefined, after: undefined };
  const [store, say, words, locale] = await Promise.all([
    db(),
    getTranslations("movements"),
    getTranslations("statement.words"),
    getLocale(),
  ]);
  const typeOf = (type: string) => {
    const direction = movementDirection(type);
    return direction === null ? entryText("type", type, (word) => words(word)) : say(`directions.${direction}`);
  };
  const { tenant, id } = actor;
  const detail = { format: "csv", filter: movementSearch({ ...filter, search: undefined }) };
  await record(store, { tenant, actor: id, code: "movements.list", outcome: "DONE", detail });
  const summary = await summarizeMovements(actor, given);
  return {
    fileName: csvName(`${say("csv.file")}-${filter.from}-${filter.to}`, locale),
    contentType: "text/csv; charset=utf-8",
    parts: linesOf(store, actor, { filter, summary, say, typeOf, locale }),
  };
}
