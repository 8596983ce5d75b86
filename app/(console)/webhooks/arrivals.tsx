"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { Freshness } from "@/components/freshness/freshness";
import { StaleNotice } from "@/components/freshness/stale-notice";
import { useLivePage } from "@/components/live/use-live-page";
import { type Columns, DataTable } from "@/components/table/data-table";
import { Notice } from "@/components/ui/notice";
import { type Look, Status } from "@/components/ui/status";
import { formatDateTime } from "@/lib/text/format";
import { formatDuration, formatShare } from "@/lib/text/measures";
import type { ArrivalRow, ArrivalStanding, Arrivals as ArrivalList } from "@/lib/webhooks/missing-view";
import { EventWord } from "./event-words";

const LOOKS: Record<ArrivalStanding, Look> = {
  arriving: { tone: "positive", progress: "settled" },
  silent: { tone: "negative", progress: "settled" },
  quiet: { tone: "neutral", progress: "settled" },
  unsubscribed: { tone: "warning", progress: "settled" },
  absent: { tone: "neutral", progress: "settled" },
  unknown: { tone: "neutral", progress: "waiting" },
};

function Moment({ at, none }: { at: string | null; none: string }) {
  const locale = useLocale();
  if (at === null) return <span className="text-muted">{none}</span>;
  return <time dateTime={at}>{formatDateTime(at, locale)}</time>;
}

function useColumns(isRead: boolean): Columns<ArrivalRow> {
  const t = useTranslations("arrivals");
  const locale = useLocale();
  return {
    event: {
      header: t("columns.event"),
      width: "text",
      td: "whitespace-normal! py-1.5",
      cell: ({ event }) => <EventWord event={event} />,
    },
    standing: {
      header: t("columns.standing"),
      width: "status",
      td: "whitespace-normal! py-1.5",
      cell: ({ standing, missed }) => (
        <>
          <Status {...LOOKS[standing]}>{t(`standings.${standing}`)}</Status>
          {missed === 0 ? null : (
            <Link href="/webhooks/missing" prefetch={false} className="block text-sm text-accent hover:underline">
              {t("missed", { count: missed })}
            </Link>
          )}
        </>
      ),
    },
    subscribed: {
      header: t("columns.subscribed"),
      width: "date",
      td: "tabular-nums",
      cell: ({ subscribedSince }) => <Moment at={subscribedSince} none={isRead ? t("notSubscribed") : t("notRead")} />,
    },
    last: {
      header: t("columns.last"),
      width: "date",
      td: "tabular-nums",
      cell: ({ lastAt }) => <Moment at={lastAt} none={t("noneYet")} />,
    },
    success: {
      header: t("columns.success"),
      width: "date",
      from: "medium",
      td: "tabular-nums",
      cell: ({ received, failed }) =>
        received === 0 ? (
          <span className="text-muted">{t("noneReceived")}</span>
        ) : (
          t("success", { share: formatShare(received - failed, received, locale), count: received })
        ),
    },
    latency: {
      header: t("columns.latency"),
      width: "name",
      from: "wide",
      td: "tabular-nums",
      cell: ({ latencyMs }) =>
        latencyMs === null ? (
          <span className="text-muted">{t("latencyUntold")}</span>
        ) : (
          formatDuration(latencyMs, locale)
        ),
    },
  };
}

function Secrets({ verified: { current, previous, hasPrevious } }: Pick<ArrivalList, "verified">) {
  const t = useTranslations("arrivals");
  const locale = useLocale();
  const isOld = previous !== null && (current === null || previous > current);
  const told = [
    current === null ? t("currentNever") : t("currentAt", { time: formatDateTime(current, locale) }),
    previous !== null
      ? t("previousAt", { time: formatDateTime(previous, locale) })
      : t(hasPrevious ? "previousNever" : "noPrevious"),
  ].join(" ");
  if (!isOld) return <p className="px-5 py-3 text-sm text-muted">{told}</p>;
  return (
    <Notice tone="warning" className="mx-5 my-3">
      {told} {t("previousLast")}
    </Notice>
  );
}

export function Arrivals({ initial }: { initial: ArrivalList }) {
  const t = useTranslations("arrivals");
  const locale = useLocale();
  const live = useLivePage({ address: "/api/webhooks/arrivals", topic: "webhooks", initial });
  const { page, trouble, isRefreshing, refresh } = live;
  const { rows, verified, readAt, isLate } = page;
  const columns = useColumns(readAt !== null);
  return (
    <section aria-labelledby="arrivals">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-1 px-5 pt-4 pb-2">
        <div className="min-w-0 flex-1">
          <h2 id="arrivals" className="font-semibold">
            {t("title")}
          </h2>
          <p className="text-sm text-muted">
            {readAt === null ? t("neverRead") : t("lead", { time: formatDateTime(readAt, locale) })}
          </p>
        </div>
        <Freshness asOf={page.asOf} isRefreshing={isRefreshing} refresh={refresh} />
      </div>
      {trouble === null ? null : <StaleNotice fresh={page} trouble={trouble} />}
      {isLate && readAt !== null ? (
        <Notice tone="warning" className="mx-5 mb-3">
          {t("stale", { time: formatDateTime(readAt, locale) })}
        </Notice>
      ) : null}
      <DataTable label={t("title")} columns={columns} rows={rows} keyOf={({ event }) => event} narrow="pairs" />
      <Secrets verified={verified} />
    </section>
  );
}
