"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { InboxTabs, PATH } from "@/app/(console)/webhooks/inbox-tabs";
import { NoRows } from "@/components/layout/empty-view";
import { ListScreen } from "@/components/list-screen/list-screen";
import { useLivePage } from "@/components/live/use-live-page";
import { useAction } from "@/components/session/use-action";
import { type Columns, DataTable } from "@/components/table/data-table";
import { Button, buttonClass } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { DeniedButton } from "@/components/ui/denied-button";
import { type Look, Status } from "@/components/ui/status";
import type { ReplayState } from "@/lib/db/enums/webhooks";
import { formatDateTime, formatTime } from "@/lib/text/format";
import { stopDeliveryReplay } from "@/lib/webhooks/actions";
import type { ReplayList } from "@/lib/webhooks/queries";
import type { ReplayRow } from "@/lib/webhooks/view";

const LOOKS: Readonly<Record<ReplayState, Look>> = {
  RUNNING: { tone: "info", progress: "moving" },
  DONE: { tone: "positive", progress: "settled" },
  STOPPED: { tone: "neutral", progress: "settled" },
};

const LONG = "py-1.5 wraps";
const isFilter = (filter: string) => filter.startsWith("?") || filter === "";

function State({ row: { state, counts, failure, stoppedByName } }: { row: ReplayRow }) {
  const t = useTranslations("replays");
  const errors = useTranslations("errors");
  const look = state === "DONE" && counts.FAILED > 0 ? { ...LOOKS.DONE, tone: "warning" as const } : LOOKS[state];
  return (
    <>
      <Status {...look}>{t(`states.${state}`)}</Status>
      {stoppedByName === null ? null : (
        <span className="block text-sm text-muted">{t("stoppedBy", { name: stoppedByName })}</span>
      )}
      {state === "RUNNING" && failure !== null ? (
        <span className="block text-sm text-warning">{t("waitsFor", { why: errors(failure) })}</span>
      ) : null}
    </>
  );
}

function Progress({ row: { counts, deliveries, plannedCalls, plannedMinutes } }: { row: ReplayRow }) {
  const t = useTranslations("replays");
  const ended = counts.DONE + counts.FAILED;
  const text = t("progress", { done: ended, all: deliveries });
  const more = [
    counts.FAILED === 0 ? null : t("failed", { count: counts.FAILED }),
    counts.STOPPED === 0 ? null : t("unstarted", { count: counts.STOPPED }),
    t("planned", { minutes: plannedMinutes, calls: plannedCalls }),
  ].filter((words) => words !== null);
  return (
    <>
      <span className="flex items-center gap-2 tabular-nums">
        <progress value={ended} max={deliveries} aria-label={t("columns.progress")} className="h-1.5 w-24" />
        {text}
      </span>
      <span className="block text-sm text-muted tabular-nums">{more.join(" · ")}</span>
    </>
  );
}

function StopButton({ row, denial, onDone }: { row: ReplayRow; denial: string | null; onDone: () => void }) {
  const t = useTranslations("replays");
  const locale = useLocale();
  const { pending, failure, run } = useAction(stopDeliveryReplay);
  if (row.state !== "RUNNING") return null;
  if (denial !== null) {
    return (
      <DeniedButton reason={denial} className={buttonClass("plain", "small")}>
        {t("stop")}
      </DeniedButton>
    );
  }
  const label = t("stopOf", { time: formatTime(row.createdAt, locale) });
  return (
    <>
      <Button size="small" aria-label={label} isBusy={pending} onClick={() => run({ id: row.id }, onDone, onDone)}>
        {t("stop")}
      </Button>
      <span aria-live="assertive" className="block text-sm whitespace-normal text-negative">
        {failure?.message}
      </span>
    </>
  );
}

/** What it was asked for, as a way back to it. */
function Asked({ filter }: { filter: string }) {
  const t = useTranslations("replays");
  const label = isFilter(filter) ? t(filter === "?view=all" ? "all" : "filtered") : t("single");
  return (
    <Link
      href={isFilter(filter) ? `${PATH}${filter}` : `${PATH}/${filter}`}
      prefetch={false}
      className="relative z-1 text-accent hover:underline"
    >
      {label}
    </Link>
  );
}

export function Replays({ initial, denial }: { initial: ReplayList; denial: string | null }) {
  const t = useTranslations("replays");
  const locale = useLocale();
  const live = useLivePage<ReplayList>({ address: "/api/webhooks/replays", topic: "webhooks", initial });
  const { page, refresh } = live;
  const columns: Columns<ReplayRow> = {
    started: {
      header: t("columns.started"),
      width: "date",
      td: cn(LONG, "tabular-nums"),
      cell: ({ createdAt }) => formatDateTime(createdAt, locale),
    },
    state: { header: t("columns.state"), width: "text", td: LONG, cell: (row) => <State row={row} /> },
    progress: { header: t("columns.progress"), width: "text", td: LONG, cell: (row) => <Progress row={row} /> },
    filter: {
      header: t("columns.filter"),
      width: "name",
      td: LONG,
      cell: ({ filter }) => <Asked filter={filter} />,
    },
    by: { header: t("columns.by"), width: "name", td: cn(LONG, "text-muted"), cell: ({ byName }) => byName },
    act: {
      header: t("columns.act"),
      width: "name",
      td: LONG,
      cell: (row) => <StopButton row={row} denial={denial} onDone={refresh} />,
    },
  };
  const noRows = { isFiltered: false, plainHref: PATH, title: t("emptyTitle"), body: t("emptyBody") };
  return (
    <ListScreen
      live={live}
      icon="inbox"
      tabs={<InboxTabs current="replays" />}
      empty={page.rows.length === 0 ? <NoRows icon="inbox" {...noRows} /> : null}
      pages={null}
    >
      <DataTable label={t("title")} columns={columns} rows={page.rows} keyOf={({ id }) => id} narrow="block" />
    </ListScreen>
  );
}
