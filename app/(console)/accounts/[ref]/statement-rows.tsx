"use client";

import { useLocale, useTranslations } from "next-intl";
import { Fragment, Suspense, use } from "react";
import { EntryWord } from "@/app/(console)/accounts/standing";
import { type Columns, TableFrame, TableRow } from "@/components/table/data-table";
import { Money, moneyCell, MoneyText } from "@/components/table/money";
import { ProviderParts, ProviderText } from "@/components/layout/provider-text";
import { cn } from "@/components/ui/cn";
import type { StatementRow, Totals, UnreadRow } from "@/lib/accounts/queries";
import type { StatementFilter } from "@/lib/accounts/inputs";
import { formatClock, formatDate, formatWeekday, isZero } from "@/lib/text/format";
import { namingHidden } from "@/lib/text/safe-link";
import { dayOfIso, readIso } from "@/lib/text/time";
import { EntryOpener, EntryPanel } from "./entry-panel";

export type DaySums = { days: Totals["days"]; balances: Readonly<Record<string, string>> };

type StatementRowsProps = {
  accountRef: string;
  rows: readonly (StatementRow | UnreadRow)[];
  period: Pick<StatementFilter, "from" | "to">;
  sums: Promise<DaySums>;
};

function useEntryColumns(entries: readonly StatementRow[]): Columns<StatementRow> {
  const t = useTranslations("accounts.entryColumns");
  const statement = useTranslations("statement");
  const locale = useLocale();
  return {
    time: {
      header: t("time"),
      width: "short",
      td: ({ date }) => ({ className: "text-muted", "data-said": formatDate(date, locale) }),
      cell: ({ date }) => formatClock(date, locale),
    },
    description: {
      header: t("description"),
      width: "text",
      td: ({ description }) => ({
        title: namingHidden(description),
        className: "@max-medium:whitespace-normal!",
      }),
      cell: (entry) => (
        <EntryOpener at={entries.indexOf(entry)}>
          {entry.description === "" ? statement("noDescription") : <ProviderParts text={entry.description} />}
        </EntryOpener>
      ),
    },
    type: {
      header: t("type"),
      width: "short",
      td: "text-muted",
      cell: ({ type }) => <EntryWord field="type" text={type} />,
    },
    ...(entries.some(({ status }) => status !== "") && {
      status: {
        header: t("status"),
        width: "name",
        td: "text-muted",
        cell: ({ status }) => <EntryWord field="status" text={status} />,
      },
    }),
    amount: {
      header: t("amount"),
      width: "amount",
      align: "end",
      td: (entry) => {
        const told = toldAmount(entry);
        return told === null ? { className: "font-medium" } : moneyCell(told, locale);
      },
      cell: (entry) => {
        const told = toldAmount(entry);
        return told === null ? <WordedAmount entry={entry} /> : <MoneyText {...told} />;
      },
    },
  };
}

/** Null when the direction is unknown. */
const toldAmount = ({ amount, direction, unheardWord }: StatementRow) =>
  direction === null || unheardWord !== "" ? null : { decimal: amount, direction };

/** Rendered in the browser: the server would send each row three times. */
export function StatementRows({ accountRef, rows, period, sums }: StatementRowsProps) {
  const t = useTranslations("accounts");
  const entries = rows.flatMap((row) => ("fields" in row ? [] : [row]));
  const columns = useEntryColumns(entries);
  const count = Object.keys(columns).length;
  return (
    <EntryPanel accountRef={accountRef} entries={entries}>
      <TableFrame label={t("statement")} columns={columns} narrow="block">
        {rows.map((row, index) => {
          if ("fields" in row) return <Unread key={index} row={row} columns={count} />;
          const day = dayOfIso(row.date);
          const before = rows[index - 1];
          const isFirst = before === undefined || "fields" in before || dayOfIso(before.date) !== day;
          return (
            <Fragment key={index}>
              {isFirst ? <Day day={day} columns={count} period={period} sums={sums} /> : null}
              <TableRow
                columns={columns}
                row={row}
                tr={({ transactionId }) => ({ "data-transaction": transactionId })}
              />
            </Fragment>
          );
        })}
      </TableFrame>
    </EntryPanel>
  );
}

export function oddityOf(day: string, { from, to }: StatementRowsProps["period"]): "undated" | "outside" | null {
  if (readIso(day) === null) return "undated";
  return day < from || day > to ? "outside" : null;
}

type DayProps = { day: string; columns: number } & Pick<StatementRowsProps, "period" | "sums">;

function Day({ day, columns, period, sums }: DayProps) {
  const t = useTranslations("statement");
  const locale = useLocale();
  const oddity = oddityOf(day, period);
  return (
    <tr data-day={day} className="bg-canvas hover:bg-canvas!">
      <td colSpan={columns} className="h-8! text-sm text-muted @max-medium:h-auto!">
        {namingHidden(formatWeekday(day, locale))}
        {oddity === null ? null : (
          <span className="ms-2 text-warning">{oddity === "outside" ? t("outside") : t("undated")}</span>
        )}
        <Suspense fallback={null}>
          <SumsOfDay day={day} sums={sums} />
        </Suspense>
      </td>
    </tr>
  );
}

function SumsOfDay({ day, sums }: Pick<DayProps, "day" | "sums">) {
  const t = useTranslations("statement");
  const { days, balances } = use(sums);
  const { [day]: moved } = days;
  const { [day]: held } = balances;
  if (moved === undefined) return null;
  return (
    <span key={held} className="float-end flex flex-wrap justify-end gap-x-3 tabular-nums">
      {isZero(moved.in) ? null : <Money decimal={moved.in} direction="CREDIT" />}
      {isZero(moved.out) ? null : <Money decimal={moved.out} direction="DEBIT" />}
      {held === undefined ? null : (
        <>
          {t("dayBalance")} <MoneyText decimal={held} />
        </>
      )}
    </span>
  );
}

/** Shows the provider's word for an unknown direction. */
function WordedAmount({ entry }: { entry: StatementRow }) {
  const t = useTranslations("accounts");
  const { amount, direction, directionWord, unheardWord, isContradicted } = entry;
  const word = direction === null ? directionWord : unheardWord;
  return (
    <span className="inline-flex flex-wrap justify-end gap-x-1.5 whitespace-normal">
      {direction === null ? <Money decimal={amount} /> : <Money decimal={amount} direction={direction} />}
      <span className={cn("text-xs font-normal", direction === null ? "text-warning" : "text-muted")}>
        {word === "" ? t("directionUnreported") : <ProviderText text={word} />}
        {isContradicted ? ` · ${t("directionContradicted")}` : null}
      </span>
    </span>
  );
}

function Unread({ row: { fields }, columns }: { row: UnreadRow; columns: number }) {
  const t = useTranslations("accounts");
  return (
    <tr>
      <td colSpan={columns} className="py-1.5 wraps">
        <span className="text-warning">{t("unreadEntry")}</span>
        <dl className="flex flex-wrap gap-x-4">
          {fields.map(({ path, value }) => (
            <div key={path} className="flex min-w-0 gap-1.5">
              <dt className="text-muted">
                <ProviderText text={path} />
              </dt>
              <dd className="min-w-0 wrap-anywhere">
                <ProviderText text={value} />
              </dd>
            </div>
          ))}
        </dl>
      </td>
    </tr>
  );
}
