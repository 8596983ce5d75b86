import { useTranslations } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import Link from "next/link";
import type { ReactNode } from "react";
import { UnreadSection } from "@/components/freshness/section-boundary";
import { EmptyView } from "@/components/layout/empty-view";
import { Pagination } from "@/components/table/pagination";
import { buttonClass } from "@/components/ui/button";
import { LateNote } from "@/components/ui/skeleton";
import { Notice } from "@/components/ui/notice";
import type { StatementRow, StatementView, UnreadRow } from "@/lib/accounts/queries";
import { statementPageValues, isSifted, type StatementFilter } from "@/lib/accounts/inputs";
import type { StatementDoubt } from "@/lib/accounts/view";
import { readOrDigest } from "@/lib/errors/attempt";
import { formatDate } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { EntryPanel } from "./entry-panel";
import { type DaySums, StatementRows } from "./statement-rows";

type StatementProps = {
  accountRef: string;
  filter: StatementFilter;
  view: Promise<StatementView>;
  daySums: Promise<DaySums>;
};

type Shown = {
  rows: readonly (StatementRow | UnreadRow)[];
  doubts: readonly StatementDoubt[];
  ways: ReactNode;
};

function pageOf(path: string, statement: NonNullable<StatementView["shown"]>, filter: StatementFilter): Shown {
  const { rows, doubts, page, onward, totalPages, hasNext } = statement;
  const hrefOf = (wanted: number) => {
    const { first, after } = wanted === page + 1 ? onward : { first: onward.first };
    const next = { first, after: after === "" ? undefined : after };
    return hrefWith(path, { ...statementPageValues(filter), page: wanted, ...(wanted > 1 && next) });
  };
  const ways = <Pagination page={page} totalPages={totalPages} hasNext={hasNext} hrefOf={hrefOf} />;
  return { rows, doubts, ways };
}

async function searchedOf(path: string, found: NonNullable<StatementView["sifted"]>, filter: StatementFilter) {
  const [t, locale] = await Promise.all([getTranslations("statement"), getLocale()]);
  const { rows, doubts, next, reached, searched } = found;
  const isFromStart = filter.page === 1 && filter.skip === 0;
  const ways = (
    <nav aria-label={t("search")} className="flex min-h-12 flex-wrap items-center gap-2 px-5 py-2 text-sm text-muted">
      <span className="flex-1 tabular-nums">
        {reached === null
          ? t(isFromStart ? "searchedAll" : "searchedRest", { count: searched, found: rows.length })
          : t("searchedTo", { count: searched, day: formatDate(reached, locale) })}
      </span>
      {isFromStart ? null : (
        <Link
          href={hrefWith(path, statementPageValues(filter))}
          prefetch={false}
          className={buttonClass("plain", "small")}
        >
          {t("fromStart")}
        </Link>
      )}
      {next === null ? null : (
        <Link
          href={hrefWith(path, { ...statementPageValues(filter), ...next })}
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

async function shownOf(path: string, view: Promise<StatementView>, filter: StatementFilter): Promise<Shown | null> {
  const { shown, sifted } = await view;
  if (sifted !== null) return searchedOf(path, sifted, filter);
  return shown === null ? null : pageOf(path, shown, filter);
}

export async function Statement({ accountRef, filter, view, daySums }: StatementProps) {
  const path = `/accounts/${accountRef}`;
  const [read, t] = await Promise.all([readOrDigest(shownOf(path, view, filter)), getTranslations("accounts")]);
  if (!read.ok) return <UnreadSection digest={read.digest} said={read.said} />;
  if (read.data === null) return null;
  const { rows, doubts, ways } = read.data;
  if (rows.length === 0)
    return (
      <EntryPanel accountRef={accountRef} entries={[]}>
        <NoEntries path={path} filter={filter} ways={isSifted(filter) ? ways : null} />
      </EntryPanel>
    );
  return (
    <>
      <StatementRows accountRef={accountRef} rows={rows} period={{ from: filter.from, to: filter.to }} sums={daySums} />
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
  const { from, to, pix, preset } = filter;
  if (isSifted(filter)) {
    return (
      <>
        <EmptyView icon="receipt-text" title={words("noneFitTitle")} body={words("noneFitBody")}>
          <Way href={hrefWith(path, { from, to, pix, preset })} label={words("clear")} />
        </EmptyView>
        {ways}
      </>
    );
  }
  if (filter.page > 1) {
    return (
      <EmptyView icon="receipt-text" title={t("pastEndTitle")} body={t("pastEndBody")}>
        <Way href={hrefWith(path, statementPageValues(filter))} label={t("firstPage")} />
      </EmptyView>
    );
  }
  if (pix) {
    return (
      <EmptyView icon="receipt-text" title={t("noPixTitle")} body={t("noPixBody")}>
        <Way href={hrefWith(path, { from, to, preset })} label={t("seeAllEntries")} />
      </EmptyView>
    );
  }
  return <EmptyView icon="receipt-text" title={t("noEntriesTitle")} body={t("noEntriesBody")} />;
}

export function StatementSkeleton() {
  const t = useTranslations("common");
  return (
    <>
      <LateNote className="px-5 pt-3">{t("slow")}</LateNote>
      <div aria-hidden className="skeleton-rows h-76" />
    </>
  );
}
