"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { SaveView, ViewTabs } from "@/app/(console)/saved-views/save-view";
import { ListScreen } from "@/components/list-screen/list-screen";
import { NoRows } from "@/components/layout/empty-view";
import { useLivePage } from "@/components/live/use-live-page";
import { BELOW, type Columns, DataTable } from "@/components/table/data-table";
import { FilterBar, FilterChoice } from "@/components/table/filter-bar";
import { Money } from "@/components/table/money";
import { Pagination } from "@/components/table/pagination";
import { ProviderText } from "@/components/layout/provider-text";
import { cn } from "@/components/ui/cn";
import { statusCell } from "@/components/ui/status";
import { Notice } from "@/components/ui/notice";
import type { AccountFileColumn, AccountList as Accounts, AccountListRow as Row } from "@/lib/accounts/queries";
import type { AccountFilter } from "@/lib/accounts/inputs";
import { ACCOUNT_VIEWS, type AccountOrder } from "@/lib/accounts/view";
import { formatCount, formatDate, formatDateTime, isZero } from "@/lib/text/format";
import type { SavedView } from "@/lib/preferences/queries";
import { countKnown, hrefWith } from "@/lib/text/page";
import { Standing, STANDING_LOOKS } from "./standing";

const PATH = "/accounts";
const PLAIN_HREF = `${PATH}?view=all`;

const searchOf = (filter: AccountFilter): string => hrefOf(filter, {}).slice(PATH.length + 1);

function hrefOf(filter: AccountFilter, change: Partial<AccountFilter>): string {
  const { view, kind, sort, dir, page } = { ...filter, page: 1, ...change };
  const isUsual = sort === "opened" && dir === "desc";
  return hrefWith(PATH, {
    view,
    kind,
    sort: isUsual ? null : sort,
    dir: isUsual ? null : dir,
    page: page === 1 ? null : page,
  });
}

/** Columns of the file that other screen columns contain. */
type Within = "document" | "kind" | "branch" | "blocked" | "balanceAt";

const sortingOf = (filter: AccountFilter) => (sort: AccountOrder) => {
  const isCurrent = sort === filter.sort;
  const natural = sort === "number" ? "asc" : "desc";
  const dir = isCurrent ? (filter.dir === "asc" ? "desc" : "asc") : natural;
  return { href: hrefOf(filter, { sort, dir }), direction: isCurrent ? filter.dir : null };
};

function useColumns(filter: AccountFilter): Columns<Row, Exclude<AccountFileColumn, Within>> {
  const t = useTranslations("accounts");
  const standings = useTranslations("standings");
  const locale = useLocale();
  const by = sortingOf(filter);
  return {
    number: {
      header: t("columns.number"),
      width: "id",
      sort: by("number"),
      td: "py-1.5",
      cell: ({ ref, number, branch }) => (
        <>
          <Link href={`${PATH}/${ref}`} prefetch={false} className="row-link font-medium tabular-nums">
            <ProviderText text={number} />
          </Link>
          <ProviderText text={t("branchOf", { branch })} className="line-below" />
        </>
      ),
    },
    holder: {
      header: t("columns.holder"),
      width: "text",
      td: cn(BELOW, "py-1.5"),
      cell: (row) => <Holder row={row} />,
    },
    status: {
      header: t("columns.status"),
      width: "status",
      td: ({ standing, toldAt }) => ({
        className: cn(BELOW, standing !== "UNKNOWN" && statusCell(STANDING_LOOKS[standing])),
        title: toldAt === null ? undefined : t("toldOn", { time: formatDateTime(toldAt, locale) }),
      }),
      cell: ({ standing, statusWord }) =>
        standing === "UNKNOWN" ? <Standing standing={standing} word={statusWord} isShort /> : standings(standing),
    },
    opened: {
      header: t("columns.opened"),
      width: "date",
      from: "wide",
      sort: by("opened"),
      cell: ({ createdAt }) =>
        createdAt === null ? (
          <span className="text-faint">{t("untold")}</span>
        ) : (
          <time dateTime={createdAt}>{formatDate(createdAt, locale)}</time>
        ),
    },
    balance: {
      header: t("columns.balance"),
      width: "amount",
      align: "end",
      sort: by("balance"),
      td: ({ balanceAt }) => (balanceAt === null ? { className: "cell-dash", title: t("balanceNotRead") } : {}),
      cell: (row) =>
        row.balanceAt === null ? (
          <span className="sr-only">{t("balanceNotRead")}</span>
        ) : (
          <Balance row={row} balanceAt={row.balanceAt} />
        ),
    },
  };
}

type BalanceProps = { row: Pick<Row, "balance" | "blockedBalance">; balanceAt: string };

function Balance({ row: { balance, blockedBalance }, balanceAt }: BalanceProps) {
  const t = useTranslations("accounts");
  const locale = useLocale();
  return (
    <>
      {balance === null ? <span className="text-faint">{t("untold")}</span> : <Money decimal={balance} />}
      <span className="block text-sm whitespace-normal text-muted tabular-nums">
        {t("readOn", { time: formatDateTime(balanceAt, locale) })}
      </span>
      {blockedBalance === null || isZero(blockedBalance) ? null : (
        <span className="block text-sm whitespace-normal text-warning">
          {t("ofItBlocked")} <Money decimal={blockedBalance} />
        </span>
      )}
    </>
  );
}

function Holder({ row: { holder, document, kind, createdAt } }: { row: Row }) {
  const t = useTranslations("accounts");
  const locale = useLocale();
  return (
    <>
      {holder === null ? (
        <span className="block truncate text-faint">{t("holderUnreported")}</span>
      ) : (
        <ProviderText text={holder} className="block truncate" />
      )}
      <span className="line-below">{`${document} · ${t(`kind.${kind}`)}`}</span>
      {createdAt === null ? null : (
        <span className="line-below @wide:hidden">{`${t("columns.opened")} ${formatDate(createdAt, locale)}`}</span>
      )}
    </>
  );
}

type FiltersProps = { filter: AccountFilter; saved: readonly SavedView[]; onSaid: (said: string) => void };

function Filters({ filter, saved, onSaid }: FiltersProps) {
  const t = useTranslations("accounts");
  const { view, kind, sort, dir } = filter;
  return (
    <FilterBar
      path={PATH}
      params={{ view, sort, dir }}
      isFiltered={kind !== undefined}
      words={{ apply: t("apply"), clear: t("clear") }}
      first={
        <FilterChoice
          name="kind"
          label={t("kindLabel")}
          value={kind}
          any={t("anyKind")}
          options={(["PF", "PJ"] as const).map((value) => ({ value, label: t(`kind.${value}`) }))}
        />
      }
      beside={
        <SaveView area="accounts" search={searchOf(filter)} plainHref={PLAIN_HREF} saved={saved} onSaid={onSaid} />
      }
    />
  );
}

type AccountListProps = {
  initial: Accounts;
  filter: AccountFilter;
  saved: readonly SavedView[];
  unread: ReactNode;
};

/** Accounts from the provider's list; balances are stored ones and show their age. */
export function AccountList({ initial, filter, saved, unread }: AccountListProps) {
  const t = useTranslations("accounts");
  const [said, setSaid] = useState<string | null>(null);
  const locale = useLocale();
  const columns = useColumns(filter);
  const live = useLivePage({ address: hrefWith("/api/accounts", filter), topic: "onboarding", initial });
  const { page } = live;
  const tabs = ACCOUNT_VIEWS.map((view) => ({
    href: hrefOf(filter, { view }),
    label: t(`views.${view}`),
    count: countKnown(formatCount(page.counts[view], locale), page.counts[view], page),
    isCurrent: view === filter.view,
  }));
  const isFiltered = filter.view !== "all" || filter.kind !== undefined;
  const isEmpty = page.rows.length === 0 && (unread === null || isFiltered);
  const noRows = { isFiltered, plainHref: PLAIN_HREF, title: t("emptyTitle"), body: t("emptyBody") };
  return (
    <ListScreen
      live={live}
      icon="landmark"
      tabs={<ViewTabs label={t("viewLabel")} path={PATH} tabs={tabs} search={searchOf(filter)} saved={saved} />}
      filters={<Filters filter={filter} saved={saved} onSaid={setSaid} />}
      empty={isEmpty ? <NoRows icon="landmark" {...noRows} /> : null}
      pages={
        <>
          <Pagination {...page} counted={page} hrefOf={(number) => hrefOf(filter, { page: number })} />
          {page.wholeAt === null ? null : (
            <p className="px-5 pb-4 text-sm text-muted">
              {t("wholeAt", { time: formatDateTime(page.wholeAt, locale) })}
            </p>
          )}
        </>
      }
      unread={unread}
      said={said}
    >
      {page.wholeAt === null ? (
        <Notice tone="warning" className="mx-5 my-3">
          {t("notWhole", { count: page.counts.all })}
        </Notice>
      ) : null}
      {page.rows.length === 0 ? null : (
        <DataTable label={t("title")} columns={columns} rows={page.rows} keyOf={({ ref }) => ref} narrow="grid" />
      )}
    </ListScreen>
  );
}
