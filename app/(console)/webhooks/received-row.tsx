"use client";

import { useLocale, useTranslations } from "next-intl";
import type { Column } from "@/components/data-table";
import { OpenableRow } from "@/components/row-details";
import { RowMoment } from "@/components/row-moment";
import { BELOW, WIDE_ONLY } from "@/components/stacked-cell";
import { cn } from "@/lib/cn";
import { formatDuration, formatMoment } from "@/lib/format";
import type { ReceivedRow } from "@/lib/webhooks/queries";
import { ReceivedDetails } from "./received-details";
import { EventName, EventObject, EventStatus } from "./received-words";

export function useReceivedColumns(hasDays: boolean): Column[] {
  const t = useTranslations("received.columns");
  return [
    { header: t("at"), width: hasDays ? "w-[12.75rem]" : "w-[9.5rem]" },
    { header: t("event") },
    { header: t("state"), width: "w-[10.5rem]" },
    { header: t("object"), width: "w-[clamp(7rem,14cqi,12rem)]", from: "medium" },
    { header: t("wakes"), width: "w-[clamp(9rem,24cqi,19rem)]", from: "wide" },
    { header: t("arrivals"), width: "w-[5rem]", align: "end", from: "wide" },
  ];
}

type ReceivedTableRowProps = {
  row: ReceivedRow;
  /** Some of the rows are of another day: each names its own. */
  hasDay: boolean;
  isOpen: boolean;
  onToggle: () => void;
};

/** One event, and under it, once it is opened, everything that is known of it. */
export function ReceivedTableRow({ row, hasDay, isOpen, onToggle }: ReceivedTableRowProps) {
  const t = useTranslations("received");
  const { time } = formatMoment(row.receivedAt, useLocale());
  return (
    <OpenableRow
      label={t("details", { time })}
      head={<RowMoment at={row.receivedAt} hasDay={hasDay} />}
      isOpen={isOpen}
      onToggle={onToggle}
      details={<ReceivedDetails row={row} />}
    >
      <td className={BELOW}>
        <EventName event={row.event} />
      </td>
      <td>
        <EventStatus state={row.state} />
      </td>
      <td data-from="medium" className={BELOW}>
        <EventObject object={row.object} />
      </td>
      <td data-from="wide" className={cn(WIDE_ONLY, "text-muted")}>
        <Woken row={row} />
      </td>
      <td data-from="wide" data-align="end" className={cn(WIDE_ONLY, "tabular-nums")}>
        {row.arrivals}
      </td>
    </OpenableRow>
  );
}

/** What it let us look at, and how long after it came. */
function Woken({ row: { wakes, doneAt, receivedAt, state } }: { row: ReceivedRow }) {
  const t = useTranslations("received");
  const locale = useLocale();
  if (wakes === null) return <span className="text-faint">{t("wakesNothing")}</span>;
  const what = t(`wakes.${wakes}`);
  if (state !== "DONE" || doneAt === null) return what;
  const duration = formatDuration(Math.max(0, Date.parse(doneAt) - Date.parse(receivedAt)), locale);
  return t("wokeAfter", { what, duration });
}
