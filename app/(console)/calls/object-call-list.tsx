"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { BELOW, type Columns, DataTable } from "@/components/table/data-table";
import { useActorName } from "@/components/table/actor-name";
import { AskedFor } from "@/components/table/row-details";
import { Skeleton } from "@/components/ui/skeleton";
import { statusCell } from "@/components/ui/status";
import type { CallRow } from "@/lib/calls/queries";
import { cn } from "@/components/ui/cn";
import { formatMoment, formatTime } from "@/lib/text/format";
import { formatDuration } from "@/lib/text/measures";
import { CallName, lookOf, Outcome, slowClass } from "./call-words";

const SKELETON_ROWS = 3;

type ObjectCallListProps = { label: string; address: string; allHref: string | null };

export function ObjectCallList({ label, address, allHref }: ObjectCallListProps) {
  const t = useTranslations("calls");
  return (
    <AskedFor<CallRow[]>
      address={address}
      failed={t("failed")}
      className="border-t border-line px-5 py-3"
      skeleton={<Placeholder />}
    >
      {(calls) =>
        calls.length === 0 ? (
          <p className="border-t border-line px-5 py-3 text-muted">{t("none")}</p>
        ) : (
          <div className="border-t border-line">
            <CallTable label={label} calls={calls} />
            {allHref === null ? null : (
              <p className="px-5 py-3 text-sm">
                <Link href={allHref} prefetch={false} className="text-accent hover:underline">
                  {t("seeAll")}
                </Link>
              </p>
            )}
          </div>
        )
      }
    </AskedFor>
  );
}

function CallTable({ label, calls }: { label: string; calls: readonly CallRow[] }) {
  const t = useTranslations("calls");
  const locale = useLocale();
  const columns: Columns<CallRow> = {
    at: {
      header: t("columns.at"),
      width: "date",
      cell: ({ at }) => (
        <time dateTime={at}>
          <span className="text-faint">{formatMoment(at, locale).day}</span> {formatTime(at, locale)}
        </time>
      ),
    },
    outcome: {
      header: t("columns.outcome"),
      width: "status",
      td: (call) => ({ className: cn(BELOW, statusCell(lookOf(call))) }),
      cell: (call) => <Outcome call={call} />,
    },
    call: {
      header: t("columns.call"),
      width: "text",
      td: ({ method, path }) => ({ title: `${method} ${path}`, className: BELOW }),
      cell: (call) => <CallName call={call} />,
    },
    actor: {
      header: t("columns.actor"),
      width: "name",
      td: cn(BELOW, "text-muted"),
      cell: useActorName(),
    },
    duration: {
      header: t("columns.duration"),
      width: "short",
      align: "end",
      from: "medium",
      td: (call) => ({ className: slowClass(call) }),
      cell: ({ durationMs }) => formatDuration(durationMs, locale),
    },
  };
  return <DataTable label={label} columns={columns} rows={calls} keyOf={({ seq }) => seq} narrow="grid" />;
}

function Placeholder() {
  const t = useTranslations("common");
  return (
    <div aria-busy className="border-t border-line">
      <p className="sr-only" aria-live="polite">
        {t("loading")}
      </p>
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        <div key={row} aria-hidden className="flex h-9.5 items-center gap-6 border-b border-line px-5">
          <Skeleton className="h-3.5 w-24" />
          <Skeleton className="h-3.5 w-20" />
          <Skeleton className="h-3.5 w-1/3" />
        </div>
      ))}
    </div>
  );
}
