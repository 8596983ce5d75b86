"use client";

import { ChevronRight } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useId } from "react";
import type { Column } from "@/components/data-table";
import { SLOW_MS } from "@/lib/call-view";
import type { CallRow } from "@/lib/calls/queries";
import { cn } from "@/lib/cn";
import { formatDuration, formatMoment } from "@/lib/format";
import { CallDetails } from "./call-details";
import { CallDuration, CallMoment, CallName, CallObjectLink, CallOutcome, useActorName } from "./call-words";

export function useCallColumns(): Column[] {
  const t = useTranslations("calls.columns");
  return [
    { header: t("at"), width: "clamp(8rem, 15cqi, 11rem)" },
    { header: t("outcome"), width: "clamp(8.5rem, 16cqi, 11.5rem)" },
    { header: t("call") },
    { header: t("object"), width: "13cqi", from: "wide" },
    { header: t("actor"), width: "15cqi", from: "wide" },
    { header: t("lane"), width: "13cqi", from: "wide" },
    { header: t("duration"), width: "6rem", align: "end", from: "medium" },
  ];
}

type CallTableRowProps = { call: CallRow; isOpen: boolean; onToggle: () => void };

/** One call, and under it, once it is opened, everything that is known of it. */
export function CallTableRow({ call, isOpen, onToggle }: CallTableRowProps) {
  const t = useTranslations("calls");
  const locale = useLocale();
  const nameOf = useActorName();
  const detailsId = useId();
  const { time } = formatMoment(call.at, locale);
  return (
    <>
      <tr className={cn(isOpen && "bg-hover")}>
        <td>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailsId : undefined}
            aria-label={t("details", { time })}
            onClick={onToggle}
            className="row-link inline-flex items-center gap-1.5"
          >
            <ChevronRight aria-hidden size={13} className={cn("shrink-0 text-faint", isOpen && "rotate-90")} />
            <CallMoment at={call.at} />
          </button>
        </td>
        <td>
          <CallOutcome call={call} />
        </td>
        <td title={`${call.method} ${call.path}`}>
          <CallName call={call} />
          {call.attempt > 1 ? (
            <span className="ml-2 text-sm text-warning">{t("attempt", { number: call.attempt })}</span>
          ) : null}
        </td>
        <td data-from="wide">{call.object === null ? null : <CallObjectLink object={call.object} />}</td>
        <td data-from="wide" className="text-muted">
          {nameOf(call)}
        </td>
        <td data-from="wide" className="text-muted">
          {t(`lanes.${call.lane}`)}
          {call.waitedMs > 0 ? <span className="text-faint"> · {formatDuration(call.waitedMs, locale)}</span> : null}
        </td>
        <td data-from="medium" data-align="end">
          <CallDuration ms={call.durationMs} isSlow={call.durationMs >= SLOW_MS} />
        </td>
      </tr>
      {isOpen ? (
        <tr id={detailsId} className="bg-canvas">
          <td colSpan={7} className="p-0!">
            <CallDetails call={call} />
          </td>
        </tr>
      ) : null}
    </>
  );
}
