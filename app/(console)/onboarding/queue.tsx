"use client";

import { Icon } from "@/components/ui/icons";
import { useTranslations, useLocale } from "next-intl";
import Link from "next/link";
import { Age } from "@/components/freshness/age";
import { type Column, DataTable } from "@/components/table/data-table";
import { OnboardingStatusBadge } from "@/components/layout/badges";
import { type Steady, useSteadyRows } from "@/components/table/use-steady-rows";
import { cn } from "@/components/ui/cn";
import type { OnboardingRow, OnboardingQueue } from "@/lib/onboarding/queries";
import { WhoActs } from "./onboarding-words";
import { type ReactNode, useRef, useState } from "react";
import { Freshness } from "@/components/freshness/freshness";
import { ReadRows } from "@/components/freshness/read-state";
import { useLivePage } from "@/components/live/use-live-page";
import { EmptyFilterView, EmptyView } from "@/components/layout/empty-view";
import { NewsButton } from "@/components/table/news-button";
import { Pagination } from "@/components/table/pagination";
import { ViewTabs } from "@/app/(console)/saved-views/save-view";
import { addressedFilter, ONBOARDING_VIEWS, type QueueFilter, queueHref, queueSearch } from "@/lib/onboarding/view";
import { formatCount } from "@/lib/text/format";
import { countKnown, type Fresh, hrefWith } from "@/lib/text/page";
import type { SavedView } from "@/lib/preferences/queries";
import { QueueToolbar } from "./queue-toolbar";

function useQueueColumns(): Column[] {
  const t = useTranslations("onboarding.columns");
  return [
    { header: t("status"), width: "w-[clamp(8.625rem,12cqi,10.5rem)]" },
    { header: t("document"), width: "w-[clamp(10.25rem,22cqi,10.75rem)]" },
    { header: t("acts"), width: "w-[clamp(5.25rem,14cqi,7rem)]" },
    { header: t("stage"), from: "medium" },
    { header: t("kind"), width: "w-[7.75rem]", from: "wide" },
    { header: t("biometric"), width: "w-[clamp(8rem,13.5cqi,14rem)]", from: "full" },
    { header: t("returns"), width: "w-[5.5rem]", from: "wide", align: "end" },
    { header: t("firstSeen"), width: "w-[5.25rem]", from: "medium", align: "end" },
    { header: t("checked"), width: "w-[6.5rem]", from: "full", align: "end" },
  ];
}

function QueueRow({ row, now }: { row: Steady<OnboardingRow>; now: string }) {
  const t = useTranslations();
  return (
    <tr className={cn(row.isGone === true && "opacity-60")}>
      <td>
        <OnboardingStatusBadge status={row.status} />
      </td>
      <td className="py-1.5 whitespace-normal!">
        <Link href={`/onboarding/${row.id}`} prefetch={false} className="row-link font-medium">
          {row.document}
        </Link>
        {row.isRetry ? (
          <span title={t("onboarding.retry")} className="ml-1.5 inline-block align-middle text-faint">
            <Icon of="repeat-2" size={13} />
            <span className="sr-only">{t("onboarding.retry")}</span>
          </span>
        ) : null}
        {row.isGone === true ? <span className="ml-1.5 text-sm text-muted">{t("onboarding.gone")}</span> : null}
      </td>
      <td>
        <WhoActs who={row.whoActs} />
      </td>
      <td data-from="medium" className="py-1.5 whitespace-normal!">
        {t(`onboarding.stage.${row.stage}`)}
      </td>
      <td data-from="wide">{t(`onboarding.kinds.${row.kind}`)}</td>
      <td data-from="full">
        <BiometricHost biometric={row.biometric} />
      </td>
      <td data-from="wide" data-align="end">
        {row.returns === 0 ? (
          <span className="text-faint">{t("common.none")}</span>
        ) : (
          <span title={t("onboarding.returnedTimes", { count: row.returns })}>{row.returns}×</span>
        )}
      </td>
      <td data-from="medium" data-align="end">
        <Age since={row.firstSeenAt} now={now} />
      </td>
      <td data-from="full" data-align="end">
        <Age since={row.checkedAt} now={now} />
      </td>
    </tr>
  );
}

/** The link itself is on the onboarding's page, where taking it is recorded. */
function BiometricHost({ biometric }: { biometric: Steady<OnboardingRow>["biometric"] }) {
  const t = useTranslations("common");
  if (biometric === null) return <span className="text-faint">{t("none")}</span>;
  if (!biometric.isSafe) {
    const refusal = biometric.host === "" ? t("linkRefused") : t("linkNotHttps", { host: biometric.host });
    return <span className="text-muted">{refusal}</span>;
  }
  // Wrapped, never cut: the real owner stands at a host's end.
  return <span className="block py-1 wrap-anywhere whitespace-normal">{biometric.host}</span>;
}

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
  const tabs = ONBOARDING_VIEWS.map((view) => ({
    href: queueHref(filter, { status: view, acts: undefined }),
    label: t(`filters.${view}`),
    count: countKnown(formatCount(counts[view], locale), counts[view], fresh),
    isCurrent: view === filter.status,
  }));
  return (
    <div className="flex items-center gap-4 border-b border-line px-5">
      <div className="min-w-0 flex-1">
        <ViewTabs label={t("filterStatus")} path="/onboarding" tabs={tabs} search={queueSearch(filter)} saved={saved} />
      </div>
      {children}
    </div>
  );
}

type QueueProps = {
  initial: OnboardingQueue;
  filter: QueueFilter;
  saved: readonly SavedView[];
  readAt: string;
  unread: ReactNode;
};

const idOf = ({ id }: OnboardingRow) => id;

export function Queue({ initial, filter, saved, readAt, unread }: QueueProps) {
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
  const hasMoved = shown.length !== page.rows.length || shown.some((row, index) => page.rows[index]?.id !== row.id);
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
        icon="user-round-plus"
        empty={shown.length === 0 && (unread === null || isFiltered(filter)) ? <EmptyQueue filter={filter} /> : null}
      >
        <div ref={table}>
          <QueueNews arrivals={waiting.length} hasMoved={hasMoved} onShow={showNow} />
          {shown.length === 0 ? null : (
            <DataTable label={t("title")} columns={columns}>
              {shown.map((row) => (
                <QueueRow key={row.id} row={row} now={page.asOf ?? readAt} />
              ))}
            </DataTable>
          )}
        </div>
        <Pagination
          page={page.page}
          totalPages={page.totalPages}
          total={page.total}
          hrefOf={(number) => queueHref(filter, { page: number })}
        />
      </ReadRows>
      {unread}
      {/* For those who do not see the tab come or go. */}
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
    </>
  );
}

const isFiltered = ({ status, acts, stage, kind, age, returns, person }: QueueFilter) =>
  status !== "open" || [acts, stage, kind, age, returns, person].some(Boolean);

function EmptyQueue({ filter }: { filter: QueueFilter }) {
  const t = useTranslations("onboarding");
  if (!isFiltered(filter)) return <EmptyView icon="user-round-plus" title={t("emptyTitle")} body={t("emptyBody")} />;
  return <EmptyFilterView icon="user-round-plus" href="/onboarding?status=all" />;
}
