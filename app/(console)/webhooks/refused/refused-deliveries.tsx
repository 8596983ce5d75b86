"use client";

import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { EventName } from "@/app/(console)/webhooks/event-name";
import { InboxTabs, PATH } from "@/app/(console)/webhooks/inbox-tabs";
import { deferred } from "@/components/layout/deferred";
import { NoRows } from "@/components/layout/empty-view";
import { NeighbourLinks } from "@/components/layout/page-header";
import { ProviderText } from "@/components/layout/provider-text";
import { ListScreen } from "@/components/list-screen/list-screen";
import { useLivePage } from "@/components/live/use-live-page";
import { BELOW, type Columns, RowMoment } from "@/components/table/data-table";
import { FilterBar, FilterChoice } from "@/components/table/filter-bar";
import { FilterPeriod } from "@/components/table/filter-period";
import { FilterSearch } from "@/components/table/filter-search";
import { OpenableTable } from "@/components/table/openable-table";
import { useOpenRows } from "@/components/table/use-steady-rows";
import { cn } from "@/components/ui/cn";
import { Status } from "@/components/ui/status";
import { formatMoment } from "@/lib/text/format";
import { formatSize } from "@/lib/text/measures";
import { hrefWith } from "@/lib/text/page";
import { civilDay } from "@/lib/text/time";
import type { RefusedFilter } from "@/lib/webhooks/inputs";
import type { RefusedFileColumn, RefusedList } from "@/lib/webhooks/queries";
import { REFUSALS, type RefusedRow } from "@/lib/webhooks/view";

const loadDetails = () => import("./refused-details").then((loaded) => loaded.RefusedDetails);
const RefusedDetails = deferred(loadDetails);

const REFUSED = `${PATH}/refused`;

const hrefOf = (filter: RefusedFilter, change: Partial<RefusedFilter>): string =>
  hrefWith(REFUSED, { ...filter, before: undefined, after: undefined, ...change });

/** Columns of the file that the screen shows with a row's details. */
type Within = "status" | "form" | "headers";

function useRefusedColumns(hasDays: boolean): Columns<RefusedRow, Exclude<RefusedFileColumn, Within>> {
  const t = useTranslations("refusedDeliveries");
  const locale = useLocale();
  return {
    at: { header: t("columns.at"), width: "date", cell: ({ at }) => <RowMoment at={at} hasDay={hasDays} /> },
    why: {
      header: t("columns.why"),
      width: "status",
      cell: ({ why }) => (
        <Status tone="negative" progress="settled">
          {t(`why.${why}`)}
        </Status>
      ),
    },
    event: {
      header: t("columns.event"),
      width: "text",
      td: cn(BELOW, "py-1.5 whitespace-normal!"),
      cell: ({ event }) => <EventName event={event} />,
    },
    eventId: {
      header: t("columns.eventId"),
      width: "address",
      td: BELOW,
      cell: ({ eventId }) =>
        eventId === null ? (
          <span className="text-faint">–</span>
        ) : (
          <code className="font-mono text-sm">
            <ProviderText text={eventId} />
          </code>
        ),
    },
    size: {
      header: t("columns.size"),
      width: "short",
      align: "end",
      from: "wide",
      td: "tabular-nums text-muted",
      cell: ({ sizeBytes }) => (sizeBytes === null ? "–" : formatSize(sizeBytes, locale)),
    },
    fingerprint: {
      header: t("columns.fingerprint"),
      width: "id",
      from: "wide",
      td: "text-muted",
      cell: ({ fingerprint }) => <code className="font-mono text-sm">{fingerprint ?? "–"}</code>,
    },
  };
}

function Filters({ filter: { why, search, period, from, to } }: { filter: RefusedFilter }) {
  const t = useTranslations();
  const chosen = [why, period, from, to];
  return (
    <FilterBar
      path={REFUSED}
      params={{}}
      isFiltered={[search, ...chosen].some(Boolean)}
      words={{ apply: t("received.search"), clear: t("received.clear") }}
      chosen={chosen}
      first={
        <FilterSearch
          value={search}
          label={t("refusedDeliveries.searchLabel")}
          hint={t("refusedDeliveries.searchHint")}
        />
      }
      more={<FilterPeriod period={period} from={from} to={to} />}
    >
      <FilterChoice
        name="why"
        label={t("refusedDeliveries.columns.why")}
        value={why}
        any={t("refusedDeliveries.anyWhy")}
        options={REFUSALS.map((value) => ({ value, label: t(`refusedDeliveries.why.${value}`) }))}
      />
    </FilterBar>
  );
}

type RefusedDeliveriesProps = { initial: RefusedList; filter: RefusedFilter; csv: ReactNode };

export function RefusedDeliveries({ initial, filter, csv }: RefusedDeliveriesProps) {
  const t = useTranslations("refusedDeliveries");
  const locale = useLocale();
  const opening = useOpenRows();
  const live = useLivePage<RefusedList>({
    address: hrefWith("/api/webhooks/refused", filter),
    topic: "webhooks",
    initial,
  });
  const { page } = live;
  const today = civilDay(new Date(page.asOf));
  const columns = useRefusedColumns(page.rows.some(({ at }) => civilDay(new Date(at)) !== today));
  const noRows = {
    isFiltered: Object.values(filter).some(Boolean),
    plainHref: REFUSED,
    title: t("emptyTitle"),
    body: t("emptyBody"),
  };
  return (
    <ListScreen
      live={live}
      icon="inbox"
      tabs={<InboxTabs current="refused" />}
      beside={csv}
      filters={<Filters filter={filter} />}
      empty={page.rows.length === 0 ? <NoRows icon="inbox" {...noRows} /> : null}
      pages={
        <NeighbourLinks
          newer={page.newer && hrefOf(filter, { after: page.newer })}
          older={page.older && hrefOf(filter, { before: page.older })}
        />
      }
    >
      <OpenableTable
        label={t("title")}
        columns={columns}
        rows={page.rows}
        keyOf={({ id }) => id}
        details={{
          ...opening,
          labelOf: ({ at }) => t("details", { time: formatMoment(at, locale).time }),
          contentOf: (row) => <RefusedDetails row={row} />,
          onIntent: () => void loadDetails(),
        }}
        narrow="grid"
      />
    </ListScreen>
  );
}
