"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { NoRows } from "@/components/layout/empty-view";
import { ListScreen } from "@/components/list-screen/list-screen";
import { useLivePage } from "@/components/live/use-live-page";
import { BELOW, type Columns, DataTable } from "@/components/table/data-table";
import { Pagination } from "@/components/table/pagination";
import { TabLinks } from "@/components/ui/tab-links";
import type { SuspicionFilter } from "@/lib/suspicions/inputs";
import { SUSPICION_VIEWS, type SuspicionList as Suspicions, type SuspicionRow } from "@/lib/suspicions/view";
import { formatCount, formatDate } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { SuspicionDue, SuspicionStatus } from "./suspicion-words";

const PATH = "/suspicions";

function useColumns(view: SuspicionFilter["view"]): Columns<SuspicionRow> {
  const t = useTranslations("suspicions");
  const locale = useLocale();
  const last: Columns<SuspicionRow>[string] =
    view === "due"
      ? { header: t("columns.due"), width: "date", cell: (row) => <SuspicionDue row={row} /> }
      : {
          header: t("columns.ended"),
          width: "date",
          td: "tabular-nums",
          cell: ({ enteredOn }) => formatDate(enteredOn, locale),
        };
  return {
    document: {
      header: t("columns.document"),
      width: "address",
      td: "py-1.5",
      cell: ({ id, document }) => (
        <Link href={`${PATH}/${id}`} prefetch={false} className="row-link font-medium tabular-nums">
          {document}
        </Link>
      ),
    },
    state: {
      header: t("columns.state"),
      width: "status",
      cell: ({ state, reportNumber }) => (
        <>
          <SuspicionStatus state={state} />
          {reportNumber === null ? null : (
            <bdi className="block text-sm wrap-anywhere text-muted">{t("number", { number: reportNumber })}</bdi>
          )}
        </>
      ),
    },
    due: last,
    occurred: {
      header: t("columns.occurred"),
      width: "date",
      from: "medium",
      td: "tabular-nums",
      cell: ({ occurredOn }) => formatDate(occurredOn, locale),
    },
    by: { header: t("columns.by"), width: "name", td: BELOW, cell: ({ raisedBy }) => raisedBy },
  };
}

export function SuspicionList({ initial, filter }: { initial: Suspicions; filter: SuspicionFilter }) {
  const t = useTranslations("suspicions");
  const locale = useLocale();
  const { view } = filter;
  const live = useLivePage({ address: hrefWith("/api/suspicions", filter), topic: "suspicions", initial });
  const { page } = live;
  const columns = useColumns(view);
  const tabs = SUSPICION_VIEWS.map((one) => ({
    href: hrefWith(PATH, { view: one }),
    label: t(`views.${one}`),
    count: formatCount(page.counts[one], locale),
    isCurrent: one === view,
  }));
  const noRows = { isFiltered: false, plainHref: PATH, title: t(`empty.${view}`), body: t("emptyBody") };
  return (
    <ListScreen
      live={live}
      icon="shield-alert"
      tabs={<TabLinks label={t("view")} tabs={tabs} />}
      empty={page.rows.length === 0 ? <NoRows icon="shield-alert" {...noRows} /> : null}
      pages={
        <Pagination
          page={page.page}
          totalPages={page.totalPages}
          total={page.counts[view]}
          hrefOf={(to) => hrefWith(PATH, { view, page: to })}
        />
      }
    >
      <DataTable label={t("title")} columns={columns} rows={page.rows} keyOf={({ id }) => id} narrow="grid" />
    </ListScreen>
  );
}
