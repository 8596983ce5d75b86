"use client";

import { useQuery } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { useState } from "react";
import { SaveView, ViewTabs } from "@/app/(console)/saved-views/save-view";
import { NeighbourLinks } from "@/components/layout/page-header";
import { ListScreen } from "@/components/list-screen/list-screen";
import { NoRows } from "@/components/layout/empty-view";
import { SIGNED_OUT, useRead } from "@/components/session/use-read";
import { FilterBar, FilterChoice } from "@/components/table/filter-bar";
import { FilterSearch } from "@/components/table/filter-search";
import { FilterPeriod } from "@/components/table/filter-period";
import { useOpenRows } from "@/components/table/use-steady-rows";
import { ChoiceLinks } from "@/components/ui/choice-links";
import type { CallList, LastHour } from "@/lib/calls/queries";
import type { CallFilter } from "@/lib/calls/inputs";
import { CALL_KINDS, CALL_VIEWS } from "@/lib/calls/view";
import { cn } from "@/components/ui/cn";
import type { SavedView } from "@/lib/preferences/queries";
import { formatCount, formatCountUpTo } from "@/lib/text/format";
import { formatDuration, formatShare } from "@/lib/text/measures";
import { hrefWith } from "@/lib/text/page";
import { civilDay } from "@/lib/text/time";
import { CallTable } from "./call-row";

const PATH = "/calls";
const PLAIN_HREF = `${PATH}?view=all`;

const hrefOf = (filter: CallFilter, change: Partial<CallFilter> = {}): string =>
  hrefWith(PATH, { ...filter, before: undefined, after: undefined, ...change });

const searchOf = (filter: CallFilter): string => hrefOf(filter).slice(PATH.length + 1);

type FilterFormProps = {
  filter: CallFilter;
  paths: readonly string[];
  saved: readonly SavedView[];
  onSaid: (said: string) => void;
};

function FilterForm({ filter, paths, saved, onSaid }: FilterFormProps) {
  const t = useTranslations("calls");
  const { view, lane, actor } = filter;
  const params = { view, lane, actor };
  const { search, path, kind, period, from, to } = filter;
  const chosen = [path, kind, period, from, to];
  const isFiltered = [search, ...chosen].some(Boolean);

  return (
    <FilterBar
      path={PATH}
      params={params}
      isFiltered={isFiltered}
      words={{ apply: t("apply"), clear: t("clear") }}
      chosen={chosen}
      first={<FilterSearch value={search} label={t("searchLabel")} hint={t("searchHint")} />}
      more={<FilterPeriod period={period} from={from} to={to} />}
      beside={<SaveView area="calls" search={searchOf(filter)} plainHref={PLAIN_HREF} saved={saved} onSaid={onSaid} />}
    >
      <FilterChoice
        name="path"
        label={t("path")}
        value={path}
        any={t("anyPath")}
        options={paths.map((value) => ({ value, label: value }))}
      />
      <FilterChoice
        name="kind"
        label={t("kind")}
        value={kind}
        any={t("anyKind")}
        options={CALL_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
      />
    </FilterBar>
  );
}

function LastHourFigures({ lastHour }: { lastHour: LastHour }) {
  const t = useTranslations("calls");
  const locale = useLocale();
  const { calls, failed, medianMs, p95Ms } = lastHour;
  const duration = (ms: number | null) => (ms === null ? "–" : formatDuration(ms, locale));
  const figures = [
    { name: t("hourCalls"), value: formatCount(calls, locale), note: null },
    {
      name: t("hourFailed"),
      value: formatShare(failed, calls, locale),
      note: failed === 0 ? null : formatCount(failed, locale),
    },
    { name: t("hourMedian"), value: duration(medianMs), note: null },
    { name: t("hourP95"), value: duration(p95Ms), note: null },
  ];
  return (
    <section aria-labelledby="last-hour" className="border-y border-line px-5 py-3">
      <h2 id="last-hour" className="sr-only">
        {t("lastHour")}
      </h2>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2 medium:flex medium:gap-x-12">
        {figures.map(({ name, value, note }, index) => (
          <div key={name}>
            <dt className="text-sm text-muted">
              {index === 0 ? `${name} · ${t("lastHour").toLocaleLowerCase(locale)}` : name}
            </dt>
            <dd className="text-lg font-semibold tabular-nums">
              {value}
              {note === null ? null : <span className={cn("ml-2 text-sm font-normal text-muted")}>{note}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const REFRESH_MS = 10_000;

type NamedCalls = CallList & { names: Readonly<Record<string, string>> };

type LiveCalls = {
  list: NamedCalls;
  isRefreshing: boolean;
  trouble: "signed-out" | "failed" | null;
  refresh: () => void;
};

/** Earlier pages, and a page in use, do not refresh. */
function useLiveCalls(address: string, initial: NamedCalls, isStill: boolean): LiveCalls {
  const read = useRead();
  const query = useQuery({
    queryKey: ["calls", address],
    gcTime: 0,
    queryFn: ({ signal }) => read<NamedCalls>(address, signal),
    initialData: initial,
    refetchInterval: isStill ? false : REFRESH_MS,
    refetchOnWindowFocus: isStill ? false : "always",
    staleTime: REFRESH_MS,
    retry: (failures, error) => failures < 1 && error.cause !== SIGNED_OUT,
  });
  return {
    list: query.data ?? initial,
    isRefreshing: query.isFetching,
    trouble: query.error?.cause === SIGNED_OUT ? "signed-out" : query.isError ? "failed" : null,
    refresh: () => void query.refetch(),
  };
}

const LANE_CHOICES = [undefined, "money", "people", "watchers"] as const;

type CallsProps = {
  initial: NamedCalls;
  filter: CallFilter;
  paths: readonly string[];
  saved: readonly SavedView[];
};

export function Calls({ initial, filter, paths, saved }: CallsProps) {
  const t = useTranslations("calls");
  const locale = useLocale();
  const [said, setSaid] = useState<string | null>(null);
  const opening = useOpenRows();
  const { before, after, view, ...sifted } = filter;
  const isFirstPage = before === undefined && after === undefined;
  const live = useLiveCalls(hrefWith("/api/calls", filter), initial, !isFirstPage || opening.open.size > 0);
  const { list } = live;
  const hasDays = list.rows.some(({ at }) => civilDay(new Date(at)) !== civilDay(new Date(list.asOf)));
  const tabs = CALL_VIEWS.map((one) => ({
    href: hrefOf(filter, { view: one }),
    label: t(`views.${one}`),
    count: formatCountUpTo(list.counts[one], locale),
    isCurrent: one === view,
  }));
  const lanes = LANE_CHOICES.map((lane) => ({
    href: hrefOf(filter, { lane }),
    label: lane === undefined ? t("allLanes") : t(`lanes.${lane}`),
    isCurrent: lane === filter.lane,
  }));

  const isFiltered = view !== "all" || Object.values({ ...sifted, before, after }).some(Boolean);
  const noRows = { isFiltered, plainHref: PLAIN_HREF, title: t("emptyTitle"), body: t("emptyBody") };
  return (
    <>
      <LastHourFigures lastHour={list.lastHour} />
      <ListScreen
        live={{ ...live, page: list }}
        icon="arrow-left-right"
        tabs={<ViewTabs label={t("filterView")} path={PATH} tabs={tabs} search={searchOf(filter)} saved={saved} />}
        beside={<ChoiceLinks label={t("filterLane")} choices={lanes} />}
        filters={
          <>
            <FilterForm filter={filter} paths={paths} saved={saved} onSaid={setSaid} />
            {filter.actor === undefined ? null : (
              <ActorChip name={list.actorName ?? filter.actor} href={hrefOf(filter, { actor: undefined })} />
            )}
          </>
        }
        empty={list.rows.length === 0 ? <NoRows icon="arrow-left-right" {...noRows} /> : null}
        pages={
          <NeighbourLinks
            newer={list.newer && hrefOf(filter, { after: list.newer })}
            older={list.older && hrefOf(filter, { before: list.older })}
          />
        }
        said={said}
      >
        <CallTable calls={list.rows} names={list.names} hasDays={hasDays} {...opening} />
      </ListScreen>
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
