"use client";

import { UserRoundPlus } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { DataTable } from "@/components/data-table";
import { EmptyFilterView } from "@/components/empty-filter-view";
import { EmptyView } from "@/components/empty-view";
import { Freshness } from "@/components/freshness";
import { Pagination } from "@/components/pagination";
import { StaleNotice } from "@/components/stale-notice";
import { TabLinks } from "@/components/ui/tab-links";
import { useLivePage } from "@/components/use-live-page";
import { formatCount } from "@/lib/format";
import { hrefWith } from "@/lib/href";
import type { OnboardingQueue } from "@/lib/onboarding/queries";
import type { OnboardingFilter, OnboardingView } from "@/lib/onboarding/rules";
import { QueueRow, useQueueColumns } from "./queue-row";

const VIEWS = ["open", "action", "CONFIRMED", "ERROR", "all"] as const satisfies OnboardingView[];

type QueueProps = { initial: OnboardingQueue; filter: OnboardingFilter; readAt: string };

export function Queue({ initial, filter, readAt }: QueueProps) {
  const t = useTranslations("onboarding");
  const locale = useLocale();
  const columns = useQueueColumns();
  const address = hrefWith("/api/onboarding", { status: filter.status, page: filter.page });
  const live = useLivePage({ address, topic: "onboarding", initial });
  const { page } = live;
  const status = filter.status === "open" ? null : filter.status;
  // What is in progress is what is open: one tab for both.
  const current = filter.status === "PROCESSING" ? "open" : filter.status;
  const tabs = VIEWS.map((view) => ({
    href: hrefWith("/onboarding", { status: view === "open" ? null : view }),
    label: t(`filters.${view}`),
    count: formatCount(page.counts[view], locale),
    isCurrent: view === current,
  }));
  return (
    <>
      <div className="flex items-center gap-4 border-b border-line px-5">
        <div className="min-w-0 flex-1">
          <TabLinks label={t("filterStatus")} tabs={tabs} />
        </div>
        <Freshness asOf={page.asOf} isRefreshing={live.isRefreshing} refresh={live.refresh} />
      </div>
      {live.trouble ? <StaleNotice asOf={page.asOf} isSignedOut={live.trouble === "signed-out"} /> : null}
      {page.rows.length === 0 ? (
        <EmptyQueue isFiltered={status !== null} />
      ) : (
        <>
          <DataTable label={t("title")} columns={columns}>
            {page.rows.map((row) => (
              <QueueRow key={row.id} row={row} now={page.asOf ?? readAt} />
            ))}
          </DataTable>
          <Pagination
            page={page.page}
            totalPages={page.totalPages}
            total={page.total}
            hrefOf={(number) => hrefWith("/onboarding", { status, page: number })}
          />
        </>
      )}
    </>
  );
}

function EmptyQueue({ isFiltered }: { isFiltered: boolean }) {
  const t = useTranslations();
  if (!isFiltered) {
    return <EmptyView icon={UserRoundPlus} title={t("onboarding.emptyTitle")} body={t("onboarding.emptyBody")} />;
  }
  return <EmptyFilterView icon={UserRoundPlus} href="/onboarding?status=all" />;
}
