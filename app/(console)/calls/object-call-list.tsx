"use client";

import { useQuery } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { type Column, DataTable } from "@/components/table/data-table";
import { BELOW } from "@/components/table/data-table";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { statusCell } from "@/components/ui/status";
import { useRead } from "@/components/live/use-read";
import type { CallRow } from "@/lib/calls/queries";
import { cn } from "@/components/ui/cn";
import { formatDuration, formatMoment, formatTime } from "@/lib/text/format";
import { CallName, lookOf, Outcome, slowClass, useActorName } from "./call-row";

const SKELETON_ROWS = 3;

type ObjectCallListProps = { label: string; address: string; allHref: string | null };

export function ObjectCallList({ label, address, allHref }: ObjectCallListProps) {
  const t = useTranslations();
  const read = useRead();
  const query = useQuery({
    queryKey: ["calls", address],
    gcTime: 0,
    queryFn: ({ signal }) => read<CallRow[]>(address, signal),
    retry: 1,
  });
  if (query.isError) {
    return (
      <p role="alert" className="flex items-center gap-3 border-t border-line px-5 py-3 text-muted">
        {t("calls.failed")}
        <Button size="small" isBusy={query.isFetching} onClick={() => void query.refetch()}>
          {t("common.retry")}
        </Button>
      </p>
    );
  }
  if (query.data === undefined) return <Placeholder />;
  if (query.data.length === 0) return <p className="border-t border-line px-5 py-3 text-muted">{t("calls.none")}</p>;
  return (
    <div className="border-t border-line">
      <CallTable label={label} calls={query.data} />
      {allHref === null ? null : (
        <p className="px-5 py-3 text-sm">
          <Link href={allHref} prefetch={false} className="text-accent hover:underline">
            {t("calls.seeAll")}
          </Link>
        </p>
      )}
    </div>
  );
}

function CallTable({ label, calls }: { label: string; calls: readonly CallRow[] }) {
  const t = useTranslations("calls");
  const locale = useLocale();
  const nameOf = useActorName();
  const columns: Column[] = [
    { header: t("columns.at"), width: "w-[9.25rem]" },
    { header: t("columns.outcome"), width: "w-[9rem]" },
    { header: t("columns.call") },
    { header: t("columns.actor"), width: "w-[clamp(7.5rem,18cqi,14rem)]", from: "medium" },
    { header: t("columns.duration"), width: "w-[5.75rem]", align: "end", from: "medium" },
  ];
  return (
    <DataTable label={label} columns={columns} isStacked>
      {calls.map((call) => (
        <tr key={call.seq} className="stacked-row">
          <td>
            <time dateTime={call.at}>
              <span className="text-faint">{formatMoment(call.at, locale).day}</span> {formatTime(call.at, locale)}
            </time>
          </td>
          <td className={cn(BELOW, statusCell(lookOf(call)))}>
            <Outcome call={call} />
          </td>
          <td title={`${call.method} ${call.path}`} className={BELOW}>
            <CallName call={call} />
          </td>
          <td data-from="medium" className={cn(BELOW, "text-muted")}>
            {nameOf(call)}
          </td>
          <td data-from="medium" data-align="end" className={slowClass(call)}>
            {formatDuration(call.durationMs, locale)}
          </td>
        </tr>
      ))}
    </DataTable>
  );
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
