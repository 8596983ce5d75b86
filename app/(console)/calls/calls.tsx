"use client";

import { ArrowLeftRight } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { DataTable } from "@/components/data-table";
import { EmptyFilterView } from "@/components/empty-filter-view";
import { EmptyView } from "@/components/empty-view";
import { Freshness } from "@/components/freshness";
import { NeighbourLinks } from "@/components/neighbour-links";
import { StaleNotice } from "@/components/stale-notice";
import { ChoiceLinks } from "@/components/ui/choice-links";
import { TabLinks } from "@/components/ui/tab-links";
import { useOpenRows } from "@/components/use-open-rows";
import { CALL_VIEWS } from "@/lib/call-view";
import type { CallList } from "@/lib/calls/queries";
import type { CallFilter } from "@/lib/calls/rules";
import { hrefWith } from "@/lib/href";
import { civilDay } from "@/lib/time";
import { CallTableRow, useCallColumns } from "./call-row";
import { FilterForm } from "./filter-form";
import { LastHourFigures } from "./last-hour";
import { useLiveCalls } from "./use-live-calls";

const LANE_CHOICES = [undefined, "money", "people", "watchers"] as const;

type CallsProps = { initial: CallList; filter: CallFilter; paths: readonly string[] };

export function Calls({ initial, filter, paths }: CallsProps) {
  const t = useTranslations("calls");
  const { open, toggle } = useOpenRows();
  const { before, after, ...kept } = filter;
  const values = { ...kept, view: kept.view === "all" ? undefined : kept.view };
  const isFirstPage = before === undefined && after === undefined;
  const live = useLiveCalls(
    hrefWith("/api/calls", { ...values, before, after }),
    initial,
    !isFirstPage || open.size > 0,
  );
  const { list } = live;
  const hasDays = list.rows.some(({ at }) => civilDay(new Date(at)) !== civilDay(new Date(list.asOf)));
  const columns = useCallColumns(hasDays);
  const tabs = CALL_VIEWS.map((view) => ({
    href: hrefWith("/calls", { ...values, view: view === "all" ? undefined : view }),
    label: t(`views.${view}`),
    isCurrent: view === filter.view,
  }));
  const lanes = LANE_CHOICES.map((lane) => ({
    href: hrefWith("/calls", { ...values, lane }),
    label: lane === undefined ? t("allLanes") : t(`lanes.${lane}`),
    isCurrent: lane === filter.lane,
  }));

  return (
    <>
      <LastHourFigures lastHour={list.lastHour} />
      <div className="flex flex-wrap items-center gap-x-4 border-b border-line px-5 max-desk:pb-2">
        <div className="min-w-0 flex-1 max-desk:basis-full">
          <TabLinks label={t("filterView")} tabs={tabs} />
        </div>
        <ChoiceLinks label={t("filterLane")} choices={lanes} />
        <Freshness asOf={list.asOf} isRefreshing={live.isRefreshing} refresh={live.refresh} />
      </div>
      <FilterForm filter={filter} paths={paths} />
      {filter.actor === undefined ? null : (
        <ActorChip name={list.actorName ?? filter.actor} href={hrefWith("/calls", { ...values, actor: undefined })} />
      )}
      {live.trouble ? <StaleNotice fresh={list} trouble={live.trouble} /> : null}
      {list.rows.length === 0 ? (
        <NoCalls isFiltered={Object.values({ ...values, before, after }).some(Boolean)} />
      ) : (
        <>
          <DataTable label={t("title")} columns={columns} isStacked>
            {list.rows.map((call) => (
              <CallTableRow
                key={call.seq}
                call={call}
                hasDays={hasDays}
                isOpen={open.has(call.seq)}
                onToggle={() => toggle(call.seq)}
              />
            ))}
          </DataTable>
          <NeighbourLinks
            newer={list.newer && hrefWith("/calls", { ...values, after: list.newer })}
            older={list.older && hrefWith("/calls", { ...values, before: list.older })}
          />
        </>
      )}
    </>
  );
}

function ActorChip({ name, href }: { name: string; href: string }) {
  const t = useTranslations("calls");
  return (
    <p className="flex items-center gap-3 border-b border-line px-5 py-2 text-sm text-muted">
      {t("onlyBy", { name })}
      <Link href={href} prefetch={false} scroll={false} className="text-accent hover:underline">
        {t("anyActor")}
      </Link>
    </p>
  );
}

function NoCalls({ isFiltered }: { isFiltered: boolean }) {
  const t = useTranslations();
  if (!isFiltered) return <EmptyView icon={ArrowLeftRight} title={t("calls.emptyTitle")} body={t("calls.emptyBody")} />;
  return <EmptyFilterView icon={ArrowLeftRight} href="/calls" />;
}
