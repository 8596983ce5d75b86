"use client";

import { UserRoundPlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { DataTable } from "@/components/data-table";
import { EmptyFilterView } from "@/components/empty-filter-view";
import { EmptyView } from "@/components/empty-view";
import { Freshness } from "@/components/freshness";
import { Pagination } from "@/components/pagination";
import { ReadRows } from "@/components/read-state";
import { useLivePage } from "@/components/use-live-page";
import { useSteadyRows } from "@/components/use-steady-rows";
import { hrefWith } from "@/lib/href";
import type { OnboardingQueue, OnboardingRow } from "@/lib/onboarding/queries";
import { addressedFilter, type QueueFilter, queueHref } from "@/lib/onboarding-view";
import type { SavedView } from "@/lib/views/queries";
import { QueueNews } from "./queue-news";
import { QueueRow, useQueueColumns } from "./queue-row";
import { QueueTabs } from "./queue-tabs";
import { QueueToolbar } from "./queue-toolbar";

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
      {/* Who looks sees the tab come or go. */}
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
