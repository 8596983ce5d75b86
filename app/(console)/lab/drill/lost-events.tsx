"use client";

import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { EventWord } from "@/app/(console)/webhooks/event-words";
import { EmptyView } from "@/components/layout/empty-view";
import { BELOW, type Columns, DataTable } from "@/components/table/data-table";
import { RecordLink } from "@/components/table/row-details";
import { cn } from "@/components/ui/cn";
import { Notice } from "@/components/ui/notice";
import { type Look, Status } from "@/components/ui/status";
import { TabLinks } from "@/components/ui/tab-links";
import { formatDateTime, formatTime } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import type { Drill, DrillSheet, LostEvent, LostStanding } from "@/lib/webhooks/drill-view";

const LOOKS: Record<LostStanding, Look> = {
  awaited: { tone: "info", progress: "moving" },
  never: { tone: "negative", progress: "settled" },
  late: { tone: "warning", progress: "settled" },
};

function useColumns(): Columns<LostEvent> {
  const t = useTranslations("drill");
  const changes = useTranslations("missing.changes");
  const locale = useLocale();
  const time = (at: string) => formatTime(at, locale);
  const happened = ({ after, by }: LostEvent["happened"]) => {
    if (after === null) return t("happened.by", { by: time(by) });
    return after === by ? time(by) : t("happened.between", { after: time(after), by: time(by) });
  };
  const outcome = ({ standing, missingFrom, arrivedAt }: LostEvent) =>
    standing === "late" && arrivedAt !== null
      ? t("outcomes.late", { time: time(arrivedAt) })
      : t(standing === "awaited" ? "outcomes.awaited" : "outcomes.never", { time: time(missingFrom) });
  return {
    event: {
      header: t("columns.event"),
      width: "name",
      td: cn(BELOW, "py-1.5 whitespace-normal!"),
      cell: ({ event }) => <EventWord event={event} />,
    },
    object: {
      header: t("columns.object"),
      width: "id",
      td: BELOW,
      cell: ({ object }) => <RecordLink object={object} />,
    },
    happened: {
      header: t("columns.happened"),
      width: "name",
      td: "py-1.5 tabular-nums whitespace-normal!",
      cell: (row) => happened(row.happened),
    },
    due: {
      header: t("columns.due"),
      width: "date",
      td: "tabular-nums",
      cell: ({ dueBy }) => <time dateTime={dueBy}>{time(dueBy)}</time>,
    },
    noticed: {
      header: t("columns.noticed"),
      width: "text",
      td: cn(BELOW, "py-1.5 text-sm whitespace-normal!"),
      cell: ({ change }) => t("noticed", { change: changes(change) }),
    },
    repaired: {
      header: t("columns.repaired"),
      width: "date",
      td: "tabular-nums",
      cell: ({ readAt }) => <time dateTime={readAt}>{time(readAt)}</time>,
    },
    state: {
      header: t("columns.state"),
      width: "name",
      td: "py-1.5 whitespace-normal!",
      cell: (row) => (
        <>
          <Status {...LOOKS[row.standing]}>{t(`states.${row.standing}`)}</Status>
          <span className="block text-sm text-muted">{outcome(row)}</span>
        </>
      ),
    },
  };
}

function Summary({ drill, rows, undone, unread, asOf }: Omit<DrillSheet, "drill"> & { drill: Drill }) {
  const t = useTranslations("drill");
  const watches = useTranslations("actors.watches");
  const locale = useLocale();
  const { beganAt, endedAt, endedBy } = drill;
  const span = { from: formatDateTime(beganAt, locale), to: formatTime(endedAt, locale) };
  const names = new Intl.ListFormat(locale).format(undone.map((name) => watches(name)));
  const isUnread = unread.onboardings + unread.wallets > 0;
  return (
    <>
      <p className="px-5 pt-4">{t(`ends.${endedBy ?? "open"}`, span)}</p>
      <p className="px-5 pt-1 text-sm text-muted tabular-nums">
        {t("count", { count: rows.length, time: formatTime(asOf, locale) })}
      </p>
      {endedBy !== null && (undone.length > 0 || isUnread) ? (
        <Notice tone="info" className="mx-5 mt-3">
          {undone.length > 0 ? <p>{t("undone", { names })}</p> : null}
          {isUnread ? <p>{t("unread", unread)}</p> : null}
          <p>{t("more")}</p>
        </Notice>
      ) : null}
    </>
  );
}

export function LostEvents({ sheet, csv }: { sheet: DrillSheet; csv: ReactNode }) {
  const t = useTranslations("drill");
  const locale = useLocale();
  const columns = useColumns();
  const { drills, drill, rows } = sheet;
  if (drill === null) return <EmptyView icon="hook" title={t("noneTitle")} body={t("noneBody")} />;
  const tabs = drills.map(({ id, beganAt }) => ({
    href: hrefWith("/lab/drill", { drill: id }),
    label: formatDateTime(beganAt, locale),
    isCurrent: id === drill.id,
  }));
  return (
    <>
      <div className="tabs-bar border-b border-line px-5">
        <div className="min-w-0 flex-auto">
          <TabLinks label={t("drills")} tabs={tabs} />
        </div>
        {csv}
      </div>
      <Summary {...sheet} drill={drill} />
      {rows.length === 0 ? (
        <EmptyView icon="hook" title={t("emptyTitle")} body={t("emptyBody")} />
      ) : (
        <div className="pt-3">
          <DataTable label={t("title")} columns={columns} rows={rows} keyOf={({ key }) => key} narrow="grid" />
        </div>
      )}
      <p className="px-5 py-4 text-sm text-muted">{t("bounds")}</p>
    </>
  );
}
