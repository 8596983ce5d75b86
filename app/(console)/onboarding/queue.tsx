"use client";

import { UserRoundPlus } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useRef, useState } from "react";
import { Freshness } from "@/components/live/freshness";
import { ReadRows } from "@/components/live/read-state";
import { useLivePage } from "@/components/live/use-live-page";
import { DataTable } from "@/components/table/data-table";
import { EmptyFilterView, EmptyView } from "@/components/table/empty-view";
import { NewsButton } from "@/components/table/news-button";
import { Pagination } from "@/components/table/pagination";
import { useSteadyRows } from "@/components/table/use-steady-rows";
import { TabLinks } from "@/components/ui/tab-links";
import type { OnboardingQueue, OnboardingRow } from "@/lib/onboarding/queries";
import { addressedFilter, ONBOARDING_VIEWS, type QueueFilter, queueHref, queueSearch } from "@/lib/onboarding/view";
import { formatCount } from "@/lib/text/format";
import { countKnown, type Fresh, hrefWith } from "@/lib/text/page";
import type { SavedView } from "@/lib/preferences/queries";
import { QueueRow, useQueueColumns } from "./queue-row";
import { QueueToolbar } from "./queue-toolbar";

type QueueNewsProps = { arrivals: number; hasMoved: boolean; onShow: () => void };

function QueueNews({ arrivals, hasMoved, onShow }: QueueNewsProps) {
  const t = useTranslations("onboarding");
  const news = arrivals > 0 ? t("arrivals", { count: arrivals }) : t("moved");
  return <NewsButton label={hasMoved ? news : null} onShow={onShow} />;
}

type QueueTabsProps = {
  filter: QueueFilter;
  counts: OnboardingQueue["counts"];
  fresh: Fresh;
  saved: readonly SavedView[];
  children: ReactNode;
};

function QueueTabs({ filter, counts, fresh, saved, children }: QueueTabsProps) {
  const t = useTranslations("onboarding");
  const locale = useLocale();
  const current = saved.find(({ search }) => search === queueSearch(filter));
  const own = saved.map((view) => ({
    href: `/onboarding?${view.search}`,
    label: view.name,
    isCurrent: view === current,
  }));
  const tabs = ONBOARDING_VIEWS.map((view) => ({
    href: queueHref(filter, { status: view, acts: undefined }),
    label: t(`filters.${view}`),
    count: countKnown(formatCount(counts[view], locale), counts[view], fresh),
    isCurrent: current === undefined && view === filter.status,
  }));
  return (
    <div className="flex items-center gap-4 border-b border-line px-5">
      <div className="min-w-0 flex-1">
        <TabLinks label={t("filterStatus")} tabs={[...tabs, ...own]} />
      </div>
      {children}
    </div>
  );
}

type QueueProps = { initial: OnboardingQueue; filter: QueueFilter; saved: readonly SavedView[]; readAt: string };

const idOf = ({ id }: OnboardingRow) => id;

export function Queue({ initial, filter, saved, readAt }: QueueProps) {
  const t = useTranslations("onboarding");
  const [said, setSaid] = useState<string | null>(null);
  const columns = useQueueColumns();
  const address = hrefWith("/api/onboarding", addressedFilter(filter));
  const live = useLivePage({ address, topic: "onboarding", initial });
  const { page } = live;
  const table = useRef<HTMLDivElement>(null);
  const { shown, waiting, showNow } = useSteadyRows(
    { rows: page.rows, mark: page.rows, list: address, idOf },
    { table },
  );
  const hasMoved = shown.length !== page.rows.length || shown.some((row, place) => page.rows[place]?.id !== row.id);
  return (
    <>
      <QueueTabs filter={filter} counts={page.counts} fresh={page} saved={saved}>
        <Freshness
          asOf={page.asOf}
          wasTried={page.failure !== null || page.rows.length > 0}
          isRefreshing={live.isRefreshing}
          refresh={live.refresh}
        />
      </QueueTabs>
      <QueueToolbar filter={filter} acts={page.acts} fresh={page} person={page.person} saved={saved} onSaid={setSaid} />
      <ReadRows
        fresh={page}
        trouble={live.trouble}
        icon={UserRoundPlus}
        empty={shown.length === 0 ? <EmptyQueue filter={filter} /> : null}
      >
        <div ref={table}>
          <QueueNews arrivals={waiting.length} hasMoved={hasMoved} onShow={showNow} />
          <DataTable label={t("title")} columns={columns}>
            {shown.map((row) => (
              <QueueRow key={row.id} row={row} now={page.asOf ?? readAt} />
            ))}
          </DataTable>
        </div>
        <Pagination
          page={page.page}
          totalPages={page.totalPages}
          total={page.total}
          hrefOf={(number) => queueHref(filter, { page: number })}
        />
      </ReadRows>
      {/* For those who do not see the tab come or go. */}
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
    </>
  );
}

function EmptyQueue({ filter }: { filter: QueueFilter }) {
  const t = useTranslations("onboarding");
  const { status, acts, stage, kind, age, returns, person } = filter;
  const isFiltered = status !== "open" || [acts, stage, kind, age, returns, person].some(Boolean);
  if (!isFiltered) return <EmptyView icon={UserRoundPlus} title={t("emptyTitle")} body={t("emptyBody")} />;
  return <EmptyFilterView icon={UserRoundPlus} href="/onboarding?status=all" />;
}
