"use client";

import { useLocale, useTranslations } from "next-intl";
import { NoRows } from "@/components/layout/empty-view";
import { NeighbourLinks } from "@/components/layout/page-header";
import { ListScreen } from "@/components/list-screen/list-screen";
import { useLivePage } from "@/components/live/use-live-page";
import { BELOW, type Columns, DataTable } from "@/components/table/data-table";
import { RecordLink } from "@/components/table/row-details";
import { Notice } from "@/components/ui/notice";
import { type Look, Status } from "@/components/ui/status";
import { TabLinks } from "@/components/ui/tab-links";
import { cn } from "@/components/ui/cn";
import { formatCountUpTo, formatDateTime } from "@/lib/text/format";
import { formatDuration } from "@/lib/text/measures";
import { countKnown, hrefWith } from "@/lib/text/page";
import type { MissingFilter } from "@/lib/webhooks/inputs";
import { MISSING_VIEWS, type MissingList, type MissingRow, type MissingView } from "@/lib/webhooks/missing-view";
import { EventWord } from "@/app/(console)/webhooks/event-words";
import { EventDays } from "./event-days";

const PATH = "/webhooks/missing";

const hrefOf = (filter: MissingFilter, change: Partial<MissingFilter>): string => {
  const { view, page } = { ...filter, ...change };
  return hrefWith(PATH, { view, page: page === 1 ? undefined : page });
};

const LOOKS: Record<MissingView, Look> = {
  never: { tone: "negative", progress: "settled" },
  late: { tone: "warning", progress: "settled" },
  awaited: { tone: "info", progress: "moving" },
};

type OutcomeProps = { row: MissingRow; view: MissingView; graceMs: number };

function Outcome({ row: { seenAt, arrivedAt }, view, graceMs }: OutcomeProps) {
  const t = useTranslations("missing.outcomes");
  const locale = useLocale();
  if (view === "never") return t("never", { time: formatDateTime(seenAt, locale) });
  if (view === "awaited")
    return t("awaited", { time: formatDateTime(new Date(Date.parse(seenAt) + graceMs).toISOString(), locale) });
  if (arrivedAt === null) return null;
  return t("late", { duration: formatDuration(Date.parse(arrivedAt) - Date.parse(seenAt), locale) });
}

type RowsProps = { page: MissingList; view: MissingView; seesWallets: boolean };

function useColumns({ view, seesWallets, page }: RowsProps): Columns<MissingRow> {
  const t = useTranslations("missing");
  const locale = useLocale();
  return {
    seen: {
      header: t("columns.seen"),
      width: "date",
      td: "tabular-nums",
      cell: ({ seenAt }) => <time dateTime={seenAt}>{formatDateTime(seenAt, locale)}</time>,
    },
    event: {
      header: t("columns.event"),
      width: "name",
      td: cn(BELOW, "py-1.5 whitespace-normal!"),
      cell: ({ event, change }) => (
        <>
          <EventWord event={event} />
          <span className="block text-sm text-muted">{t(`changes.${change}`)}</span>
        </>
      ),
    },
    state: {
      header: t("columns.state"),
      width: "status",
      from: "wide",
      cell: () => <Status {...LOOKS[view]}>{t(`states.${view}`)}</Status>,
    },
    object: {
      header: t("columns.object"),
      width: "id",
      td: BELOW,
      cell: ({ object }) => <RecordLink object={object} seesWallets={seesWallets} />,
    },
    outcome: {
      header: t("columns.outcome"),
      width: "text",
      td: cn(BELOW, "py-1.5 text-sm text-muted whitespace-normal!"),
      cell: (row) => <Outcome row={row} view={view} graceMs={page.graceMs} />,
    },
  };
}

type MissingEventsProps = { initial: MissingList; filter: MissingFilter; seesWallets: boolean };

export function MissingEvents({ initial, filter, seesWallets }: MissingEventsProps) {
  const t = useTranslations("missing");
  const locale = useLocale();
  const { view } = filter;
  const live = useLivePage({ address: hrefWith("/api/webhooks/missing", filter), topic: "webhooks", initial });
  const { page } = live;
  const columns = useColumns({ page, view, seesWallets });
  const { losses, coveredSince, counts } = page;
  const tabs = MISSING_VIEWS.map((one) => ({
    href: hrefOf(filter, { view: one, page: 1 }),
    label: t(`views.${one}`),
    count: countKnown(formatCountUpTo(counts[one], locale), counts[one], page),
    isCurrent: one === view,
  }));
  const isAwaiting = view === "never" && counts.awaited > 0;
  const noRows =
    coveredSince === null
      ? { title: t("uncoveredTitle"), body: t("uncoveredBody") }
      : isAwaiting
        ? { title: t("notYetTitle"), body: t("notYetBody", { count: counts.awaited }) }
        : { title: t(`emptyTitle.${view}`), body: t("emptyBody", { time: formatDateTime(coveredSince, locale) }) };
  return (
    <>
      {losses.isGrave ? (
        <Notice tone="negative" className="mx-5 mb-3">
          {t("grave", { never: losses.never, judged: losses.judged })}
        </Notice>
      ) : null}
      {page.asOf === null ? null : <EventDays days={page.days} />}
      <ListScreen
        live={live}
        icon="hook"
        tabs={<TabLinks label={t("view")} tabs={tabs} />}
        empty={page.rows.length === 0 ? <NoRows icon="hook" isFiltered={false} plainHref={PATH} {...noRows} /> : null}
        pages={
          <NeighbourLinks
            newer={page.page > 1 ? hrefOf(filter, { page: page.page - 1 }) : null}
            older={page.page < page.totalPages ? hrefOf(filter, { page: page.page + 1 }) : null}
          />
        }
      >
        <DataTable label={t("title")} columns={columns} rows={page.rows} keyOf={({ key }) => key} narrow="grid" />
      </ListScreen>
    </>
  );
}
