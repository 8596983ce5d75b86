"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { Freshness } from "@/components/freshness/freshness";
import { ReadRows } from "@/components/freshness/read-state";
import { useLivePage } from "@/components/live/use-live-page";
import { CopyButton } from "@/components/table/copy-button";
import { type Column, DataTable } from "@/components/table/data-table";
import { EmptyFilterView, EmptyView } from "@/components/table/empty-view";
import { FilterBar, FilterSearch } from "@/components/table/filter-bar";
import { Pagination } from "@/components/table/pagination";
import { ProviderText } from "@/components/table/provider-text";
import { Notice } from "@/components/ui/notice";
import { TabLinks } from "@/components/ui/tab-links";
import { formatCount, formatDate, formatDateTime, unbroken, shortAddress } from "@/lib/text/format";
import { countKnown, hrefWith } from "@/lib/text/page";
import type { WalletList as Wallets, WalletRow as Row } from "@/lib/wallets/queries";
import type { WalletFilter } from "@/lib/wallets/rules";
import { FamilyName, ListedAmount, WalletKind, WalletStatus } from "./wallet-words";

const ADDRESS_OR_ID = "(?=.*[A-Za-z])[\\w.:@?=&\\/,#%+ \\-]{1,200}";
const SHOWN_ASSETS = 2;

function WalletRow({ wallet }: { wallet: Row }) {
  const t = useTranslations("wallets");
  const locale = useLocale();
  const shown = wallet.balances.slice(0, SHOWN_ASSETS);
  const left = wallet.balances.length - shown.length;
  return (
    <tr>
      <td>
        <FamilyName family={wallet.network} />
      </td>
      <td>
        <span className="flex items-center gap-1">
          <Link
            href={`/wallets/${encodeURIComponent(wallet.id)}`}
            prefetch={false}
            className="row-link truncate font-mono text-sm font-medium"
          >
            <ProviderText text={shortAddress(wallet.address)} />
          </Link>
          {/* A narrow window shows the address to its end instead. */}
          <span data-from="medium">
            <CopyButton text={wallet.address} label={t("copyAddress")} />
          </span>
        </span>
      </td>
      <td data-from="medium">
        <WalletKind {...wallet} />
      </td>
      <td data-from="wide">
        <WalletStatus status={wallet.status} />
      </td>
      <td data-from="wide">{formatDate(wallet.createdAt, locale)}</td>
      <td data-align="end" className="py-1.25">
        {wallet.balances.length === 0 ? (
          wallet.unreadBalances > 0 ? null : (
            <span className="text-faint">{wallet.balancesAsOf === null ? t("notRead") : t("noBalance")}</span>
          )
        ) : (
          <span className="flex flex-wrap justify-end gap-x-4 wrap-anywhere whitespace-normal">
            {shown.map((held) => (
              <span key={`${held.network} ${held.asset} ${held.tokenAddress ?? ""}`}>
                <ListedAmount held={held} />
              </span>
            ))}
            {left > 0 ? <span className="text-muted">{t("moreAssets", { count: left })}</span> : null}
          </span>
        )}
        {wallet.unreadBalances === 0 ? null : (
          <span className="block text-sm whitespace-normal text-warning">
            {t("unreadBalances", { count: wallet.unreadBalances })}
          </span>
        )}
        <BalancesAge wallet={wallet} />
      </td>
    </tr>
  );
}

function BalancesAge({ wallet: { balances, balancesAsOf } }: { wallet: Row }) {
  const t = useTranslations("wallets");
  const locale = useLocale();
  if (balancesAsOf === null && balances.length === 0) return null;
  return (
    <span className="block text-sm whitespace-normal text-muted tabular-nums">
      {balancesAsOf === null ? t("partlyRead") : t("readOn", { time: unbroken(formatDateTime(balancesAsOf, locale)) })}
    </span>
  );
}

const VIEWS = ["all", "EVM", "BTC", "TRON", "SOLANA", "XRPL"] as const;

function useColumns(): Column[] {
  const t = useTranslations("wallets.columns");
  return [
    { header: t("network"), width: "w-[clamp(4.625rem,12cqi,8rem)]" },
    { header: t("address"), width: "w-[clamp(8.5rem,25cqi,12.5rem)]" },
    { header: t("kind"), width: "w-[7.5rem]", from: "medium" },
    { header: t("status"), width: "w-[7rem]", from: "wide" },
    { header: t("created"), width: "w-[7.5rem]", from: "wide" },
    { header: t("balances"), align: "end" },
  ];
}

export function WalletList({ initial, filter }: { initial: Wallets; filter: WalletFilter }) {
  const t = useTranslations("wallets");
  const locale = useLocale();
  const columns = useColumns();
  const { network, sought } = filter;
  const live = useLivePage({
    address: hrefWith("/api/wallets", { network, sought, page: filter.page }),
    topic: "wallets",
    initial,
  });
  const { page } = live;
  const tabs = VIEWS.map((view) => ({
    href: hrefWith("/wallets", { network: view === "all" ? null : view, sought }),
    label: t(`filters.${view}`),
    count: countKnown(formatCount(page.counts[view], locale), page.counts[view], page),
    isCurrent: view === (network ?? "all"),
  }));
  return (
    <>
      <div className="flex items-center gap-x-4 border-b border-line px-5 max-[1240px]:flex-wrap">
        <div className="min-w-0 flex-1 sm:max-[1240px]:basis-full">
          <TabLinks label={t("filterNetwork")} tabs={tabs} />
        </div>
        <FilterBar
          path="/wallets"
          params={{ network }}
          isFiltered={sought !== undefined}
          words={{ apply: t("search"), clear: t("clear") }}
          className="flex items-center gap-2 py-1.5 max-[1240px]:flex-1 max-sm:order-1 max-sm:basis-full"
        >
          <FilterSearch value={sought} label={t("sought")} hint={t("soughtHint")} pattern={ADDRESS_OR_ID} />
        </FilterBar>
        <Freshness
          asOf={page.asOf}
          wasTried={page.failure !== null || page.rows.length > 0}
          isRefreshing={live.isRefreshing}
          refresh={live.refresh}
        />
      </div>
      <ReadRows
        fresh={page}
        trouble={live.trouble}
        icon="purse"
        empty={
          page.rows.length === 0 ? (
            <EmptyList page={page} isFiltered={network !== undefined || sought !== undefined} />
          ) : null
        }
      >
        {page.extent === "whole" ? null : (
          <Notice tone="warning" className="mx-5 my-3">
            {t(`extent.${page.extent}`, { count: page.counts.all })}
          </Notice>
        )}
        <DataTable label={t("title")} columns={columns}>
          {page.rows.map((wallet) => (
            <WalletRow key={wallet.id} wallet={wallet} />
          ))}
        </DataTable>
        <Pagination
          page={page.page}
          totalPages={page.totalPages}
          total={page.total}
          hrefOf={(number) => hrefWith("/wallets", { network, sought, page: number })}
        />
      </ReadRows>
    </>
  );
}

export function EmptyList({ page, isFiltered }: { page: Pick<Wallets, "unread">; isFiltered: boolean }) {
  const t = useTranslations();
  if (page.unread.length > 0 && !isFiltered) return null;
  if (!isFiltered) return <EmptyView icon="purse" title={t("wallets.emptyTitle")} body={t("wallets.emptyBody")} />;
  return <EmptyFilterView icon="purse" href="/wallets" />;
}
