"use client";

import { Wallet } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { type Column, DataTable } from "@/components/data-table";
import { EmptyFilterView } from "@/components/empty-filter-view";
import { EmptyView } from "@/components/empty-view";
import { Freshness } from "@/components/freshness";
import { Pagination } from "@/components/pagination";
import { ReadRows } from "@/components/read-state";
import { Notice } from "@/components/ui/notice";
import { TabLinks } from "@/components/ui/tab-links";
import { useLivePage } from "@/components/use-live-page";
import { formatCount } from "@/lib/format";
import { hrefWith } from "@/lib/href";
import { countKnown } from "@/lib/page";
import type { WalletList as Wallets } from "@/lib/wallets/queries";
import type { WalletFilter } from "@/lib/wallets/rules";
import { WalletRow } from "./wallet-row";

const VIEWS = ["all", "EVM", "BTC", "TRON", "SOLANA", "XRPL"] as const;

function useColumns(): Column[] {
  const t = useTranslations("wallets.columns");
  return [
    { header: t("network"), width: "w-[clamp(4.75rem,9cqi,8rem)]" },
    { header: t("address"), width: "w-[clamp(9.25rem,34cqi,12.5rem)]" },
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
  const { network } = filter;
  const live = useLivePage({
    address: hrefWith("/api/wallets", { network, page: filter.page }),
    topic: "wallets",
    initial,
  });
  const { page } = live;
  const tabs = VIEWS.map((view) => ({
    href: hrefWith("/wallets", { network: view === "all" ? null : view }),
    label: t(`filters.${view}`),
    count: countKnown(formatCount(page.counts[view], locale), page.counts[view], page),
    isCurrent: view === (network ?? "all"),
  }));
  return (
    <>
      <div className="flex items-center gap-4 border-b border-line px-5">
        <div className="min-w-0 flex-1">
          <TabLinks label={t("filterNetwork")} tabs={tabs} />
        </div>
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
        icon={Wallet}
        empty={page.rows.length === 0 ? <EmptyList page={page} isFiltered={network !== undefined} /> : null}
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
          hrefOf={(number) => hrefWith("/wallets", { network, page: number })}
        />
      </ReadRows>
    </>
  );
}

/** Where something could not be read there may be wallets, of this family too. */
function EmptyList({ page, isFiltered }: { page: Wallets; isFiltered: boolean }) {
  const t = useTranslations();
  if (page.unread.length > 0) {
    return <EmptyView icon={Wallet} title={t("wallets.noneReadTitle")} body={t("wallets.noneReadBody")} />;
  }
  if (!isFiltered) return <EmptyView icon={Wallet} title={t("wallets.emptyTitle")} body={t("wallets.emptyBody")} />;
  return <EmptyFilterView icon={Wallet} href="/wallets" />;
}
