"use client";

import { Inbox } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { DataTable } from "@/components/data-table";
import { EmptyFilterView } from "@/components/empty-filter-view";
import { EmptyView } from "@/components/empty-view";
import { Freshness } from "@/components/freshness";
import { NeighbourLinks } from "@/components/neighbour-links";
import { StaleNotice } from "@/components/stale-notice";
import { Notice } from "@/components/ui/notice";
import { TabLinks } from "@/components/ui/tab-links";
import { useLivePage } from "@/components/use-live-page";
import { useOpenRows } from "@/components/use-open-rows";
import { formatCount, formatTime } from "@/lib/format";
import { hrefWith } from "@/lib/href";
import { civilDay } from "@/lib/time";
import { RECEIVED_VIEWS, type ReceivedView } from "@/lib/webhook-view";
import type { ReceivedList, RefusedLately } from "@/lib/webhooks/queries";
import type { ReceivedFilter } from "@/lib/webhooks/rules";
import { ReceivedTableRow, useReceivedColumns } from "./received-row";
import { SearchForm } from "./search-form";

type ReceivedProps = { initial: ReceivedList; filter: ReceivedFilter };

const viewOf = (view: ReceivedView) => (view === "all" ? undefined : view);

export function Received({ initial, filter }: ReceivedProps) {
  const t = useTranslations("received");
  const locale = useLocale();
  const { open, toggle } = useOpenRows();
  const { view, sought, before, after } = filter;
  const values = { view: viewOf(view), sought };
  const address = hrefWith("/api/webhooks", { ...values, before, after });
  const live = useLivePage<ReceivedList>({ address, topic: "webhooks", initial });
  const { page } = live;
  const counts = { all: undefined, waiting: page.waiting, amiss: page.amiss };
  const tabs = RECEIVED_VIEWS.map((one) => ({
    href: hrefWith("/webhooks", { view: viewOf(one), sought }),
    label: t(`views.${one}`),
    isCurrent: one === view,
    ...(counts[one] && { count: formatCount(counts[one], locale) }),
  }));
  const today = civilDay(new Date(page.asOf));
  const hasDays = page.rows.some(({ receivedAt }) => civilDay(new Date(receivedAt)) !== today);
  const columns = useReceivedColumns(hasDays);

  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 border-b border-line px-5">
        <div className="min-w-0 flex-1">
          <TabLinks label={t("view")} tabs={tabs} />
        </div>
        <SearchForm filter={filter} />
        <Freshness asOf={page.asOf} isRefreshing={live.isRefreshing} refresh={live.refresh} />
      </div>
      {live.trouble ? <StaleNotice fresh={page} trouble={live.trouble} /> : null}
      <RefusedNotice refused={page.refused} />
      {page.rows.length === 0 ? (
        <NoEvents isFiltered={view !== "all" || [sought, before, after].some(Boolean)} />
      ) : (
        <>
          <DataTable label={t("title")} columns={columns} isStacked>
            {page.rows.map((row) => (
              <ReceivedTableRow
                key={row.seq}
                row={row}
                hasDay={hasDays}
                isOpen={open.has(row.seq)}
                onToggle={() => toggle(row.seq)}
              />
            ))}
          </DataTable>
          <NeighbourLinks
            newer={page.newer && hrefWith("/webhooks", { ...values, after: page.newer })}
            older={page.older && hrefWith("/webhooks", { ...values, before: page.older })}
          />
        </>
      )}
    </>
  );
}

function RefusedNotice({ refused: { count, lastAt } }: { refused: RefusedLately }) {
  const t = useTranslations("received");
  const locale = useLocale();
  if (count === 0 || lastAt === null) return null;
  return (
    <Notice tone="warning" className="mx-5 my-3">
      {t("refused", { count, time: formatTime(lastAt, locale) })} {t("refusedHelp")}
    </Notice>
  );
}

function NoEvents({ isFiltered }: { isFiltered: boolean }) {
  const t = useTranslations("received");
  if (isFiltered) return <EmptyFilterView icon={Inbox} href="/webhooks" />;
  return <EmptyView icon={Inbox} title={t("emptyTitle")} body={t("emptyBody")} />;
}
