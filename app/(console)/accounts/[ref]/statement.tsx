import { useTranslations } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import Link from "next/link";
import { Fragment, type ReactNode, Suspense } from "react";
import { EntryWord } from "@/app/(console)/accounts/standing";
import { type Column, DataTable } from "@/components/table/data-table";
import { EmptyView } from "@/components/table/empty-view";
import { Money } from "@/components/table/money";
import { Pagination } from "@/components/table/pagination";
import { ProviderText } from "@/components/table/provider-text";
import { buttonClass } from "@/components/ui/button";
import { LateNote, Skeleton } from "@/components/ui/skeleton";
import { Notice } from "@/components/ui/notice";
import {
  balancesByDay,
  getStatement,
  type Opening,
  siftStatement,
  type StatementRow,
  type Totals,
  type UnreadRow,
} from "@/lib/accounts/queries";
import { filterValues, isSifted, type StatementFilter } from "@/lib/accounts/rules";
import type { StatementDoubt } from "@/lib/accounts/view";
import { formatClock, formatDate, formatWeekday, isZero } from "@/lib/text/format";
import { namingHidden } from "@/lib/text/safe-link";
import { hrefWith } from "@/lib/text/page";
import { dayOf, readTime } from "@/lib/text/time";
import { EntryOpener, EntryPanel } from "./entry-panel";

const SKELETON_ROWS = 8;

type TotalsRead = Promise<Totals | null>;

type StatementProps = {
  accountRef: string;
  filter: StatementFilter;
  totals: TotalsRead;
  openingRead: Promise<Opening | null>;
};

type Shown = {
  rows: readonly (StatementRow | UnreadRow)[];
  doubts: readonly StatementDoubt[];
  ways: ReactNode;
};

async function readShown(path: string, accountRef: string, filter: StatementFilter): Promise<Shown> {
  const { rows, doubts, page, onward, totalPages, hasNext } = await getStatement(accountRef, filter);
  const hrefOf = (wanted: number) => {
    const { first, after } = wanted === page + 1 ? onward : { first: onward.first };
    return hrefWith(path, { ...filterValues(filter), page: wanted, ...(wanted > 1 && { first, after }) });
  };
  const ways = <Pagination page={page} totalPages={totalPages} hasNext={hasNext} hrefOf={hrefOf} />;
  return { rows, doubts, ways };
}

async function siftShown(path: string, accountRef: string, filter: StatementFilter): Promise<Shown> {
  const [found, t, locale] = await Promise.all([
    siftStatement(accountRef, filter),
    getTranslations("statement"),
    getLocale(),
  ]);
  const { rows, doubts, next, reached, searched } = found;
  const ways = (
    <nav aria-label={t("search")} className="flex min-h-12 flex-wrap items-center gap-2 px-5 py-2 text-sm text-muted">
      <span className="flex-1 tabular-nums">
        {reached === null
          ? t("searchedAll", { count: searched })
          : t("searchedTo", { count: searched, day: formatDate(reached, locale) })}
      </span>
      {filter.page > 1 || filter.skip > 0 ? (
        <Link href={hrefWith(path, filterValues(filter))} prefetch={false} className={buttonClass("plain", "small")}>
          {t("fromStart")}
        </Link>
      ) : null}
      {next === null ? null : (
        <Link
          href={hrefWith(path, { ...filterValues(filter), ...next })}
          prefetch={false}
          className={buttonClass("plain", "small")}
        >
          {t("goOn")}
        </Link>
      )}
    </nav>
  );
  return { rows, doubts, ways };
}

export async function Statement({ accountRef, filter, totals, openingRead }: StatementProps) {
  const path = `/accounts/${accountRef}`;
  const balances = Promise.all([totals, openingRead]).then(([sums, opening]) =>
    sums === null || opening === null ? {} : balancesByDay(opening, sums),
  );
  const read = isSifted(filter) ? siftShown : readShown;
  const [{ rows, doubts, ways }, t] = await Promise.all([read(path, accountRef, filter), getTranslations("accounts")]);
  if (rows.length === 0)
    return (
      <EntryPanel accountRef={accountRef} entries={[]}>
        <NoEntries path={path} filter={filter} ways={isSifted(filter) ? ways : null} />
      </EntryPanel>
    );
  const hasStatus = rows.some((row) => "status" in row && row.status !== "");
  const columns: Column[] = [
    { header: t("entryColumns.time"), width: "w-[4.75rem]" },
    { header: t("entryColumns.description") },
    { header: t("entryColumns.type"), width: "w-[6rem]" },
    ...(hasStatus ? [{ header: t("entryColumns.status"), width: "w-[8rem]" } as const] : []),
    { header: t("entryColumns.amount"), width: "w-[clamp(8rem,22cqi,11rem)]", align: "end" },
  ];
  const entries = rows.flatMap((row) => ("fields" in row ? [] : [row]));
  return (
    <>
      <EntryPanel accountRef={accountRef} entries={entries}>
        <DataTable label={t("statement")} columns={columns} isStacked>
          {rows.map((row, index) => {
            const day = "fields" in row ? null : dayOf(row.date);
            const before = rows[index - 1];
            const isFirst = day !== null && (before === undefined || "fields" in before || dayOf(before.date) !== day);
            return (
              <Fragment key={index}>
                {isFirst ? (
                  <Day day={day} columns={columns.length} totals={totals} balances={balances} filter={filter} />
                ) : null}
                {"fields" in row ? (
                  <Unread row={row} columns={columns.length} />
                ) : (
                  <Entry entry={row} at={entries.indexOf(row)} hasStatus={hasStatus} />
                )}
              </Fragment>
            );
          })}
        </DataTable>
      </EntryPanel>
      {doubts.length === 0 ? null : (
        <Notice tone="warning" className="mx-5 mt-3">
          {doubts.map((doubt) => (
            <p key={doubt}>{t(`doubts.${doubt}`)}</p>
          ))}
        </Notice>
      )}
      {ways}
    </>
  );
}

function Way({ href, label }: { href: string; label: string }) {
  return (
    <Link href={href} prefetch={false} className={buttonClass("plain")}>
      {label}
    </Link>
  );
}

type NoEntriesProps = { path: string; filter: StatementFilter; ways: ReactNode };

async function NoEntries({ path, filter, ways }: NoEntriesProps) {
  const [t, words] = await Promise.all([getTranslations("accounts"), getTranslations("statement")]);
  const { from, to, pix } = filter;
  if (isSifted(filter)) {
    return (
      <>
        <EmptyView icon="receipt-text" title={words("noneFitTitle")} body={words("noneFitBody")}>
          <Way href={hrefWith(path, { from, to, pix })} label={words("clear")} />
        </EmptyView>
        {ways}
      </>
    );
  }
  if (filter.page > 1) {
    return (
      <EmptyView icon="receipt-text" title={t("pastEndTitle")} body={t("pastEndBody")}>
        <Way href={hrefWith(path, filterValues(filter))} label={t("firstPage")} />
      </EmptyView>
    );
  }
  if (pix) {
    return (
      <EmptyView icon="receipt-text" title={t("noPixTitle")} body={t("noPixBody")}>
        <Way href={hrefWith(path, { from, to })} label={t("seeAllEntries")} />
      </EmptyView>
    );
  }
  return <EmptyView icon="receipt-text" title={t("noEntriesTitle")} body={t("noEntriesBody")} />;
}

type DayProps = { day: string; totals: TotalsRead; balances: Promise<Readonly<Record<string, string>>> };

export function oddityOf(
  day: string,
  { from, to }: Pick<StatementFilter, "from" | "to">,
): "undated" | "outside" | null {
  if (readTime(day) === null) return "undated";
  return day < from || day > to ? "outside" : null;
}

async function Day({ columns, filter, ...props }: DayProps & { columns: number; filter: StatementFilter }) {
  const { day } = props;
  const [locale, t] = await Promise.all([getLocale(), getTranslations("statement")]);
  const oddity = oddityOf(day, filter);
  return (
    <tr data-day={day} className="bg-canvas hover:bg-canvas!">
      <td colSpan={columns} className="h-8! text-sm text-muted">
        {namingHidden(formatWeekday(day, locale))}
        {oddity === null ? null : <span className="ms-2 text-warning">{t(oddity)}</span>}
        <Suspense fallback={null}>
          <DaySums {...props} />
        </Suspense>
      </td>
    </tr>
  );
}

async function DaySums({ day, totals, balances }: DayProps) {
  const [read, { [day]: held }, t] = await Promise.all([totals, balances, getTranslations("statement")]);
  const sums = read?.days[day];
  if (sums === undefined) return null;
  return (
    <span className="float-end flex flex-wrap justify-end gap-x-3">
      {isZero(sums.in) ? null : <Money decimal={sums.in} direction="CREDIT" />}
      {isZero(sums.out) ? null : <Money decimal={sums.out} direction="DEBIT" />}
      {held === undefined ? null : (
        <span>
          {t("dayBalance")} <Money decimal={held} />
        </span>
      )}
    </span>
  );
}

type EntryProps = { entry: StatementRow; at: number; hasStatus: boolean };

async function Entry({ entry, at, hasStatus }: EntryProps) {
  const [t, locale] = await Promise.all([getTranslations(), getLocale()]);
  return (
    <tr data-transaction={entry.transactionId}>
      <td className="text-muted">
        <span className="sr-only">{formatDate(entry.date, locale)} </span>
        {formatClock(entry.date, locale)}
      </td>
      <td title={namingHidden(entry.description)} className="@max-[38rem]:whitespace-normal">
        <EntryOpener at={at}>
          {entry.description === "" ? t("statement.noDescription") : <ProviderText text={entry.description} />}
        </EntryOpener>
      </td>
      <td className="text-muted">
        <EntryWord field="type" text={entry.type} />
      </td>
      {hasStatus ? (
        <td className="text-muted">
          <EntryWord field="status" text={entry.status} />
        </td>
      ) : null}
      <td data-align="end" className="font-medium">
        {entry.direction === null ? (
          <Undirected entry={entry} />
        ) : (
          <Money decimal={entry.amount} direction={entry.direction} />
        )}
      </td>
    </tr>
  );
}

async function Undirected({ entry: { amount, directionWord, isContradicted } }: { entry: StatementRow }) {
  const t = await getTranslations("accounts");
  return (
    <span className="inline-flex flex-wrap justify-end gap-x-1.5 whitespace-normal">
      <Money decimal={amount} />
      <span className="text-xs font-normal text-warning">
        {directionWord === "" ? t("directionUntold") : <ProviderText text={directionWord} />}
        {isContradicted ? ` · ${t("directionContradicted")}` : null}
      </span>
    </span>
  );
}

async function Unread({ row: { fields }, columns }: { row: UnreadRow; columns: number }) {
  const t = await getTranslations("accounts");
  return (
    <tr>
      <td colSpan={columns} className="whitespace-normal">
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

export function StatementSkeleton() {
  const t = useTranslations("common");
  return (
    <>
      <LateNote className="px-5 pt-3">{t("slow")}</LateNote>
      <div aria-hidden>
        {Array.from({ length: SKELETON_ROWS }, (_, row) => (
          <div key={row} className="flex h-9.5 items-center justify-between border-b border-line px-5">
            <Skeleton className="h-3.5 w-28" />
            <Skeleton className="h-3.5 w-1/3" />
            <Skeleton className="h-3.5 w-24" />
          </div>
        ))}
      </div>
    </>
  );
}
