"use client";

import { Repeat2 } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import type { Column } from "@/components/data-table";
import { SLOW_MS } from "@/lib/call-view";
import type { CallRow } from "@/lib/calls/queries";
import { OpenableRow } from "@/components/row-details";
import { RowMoment } from "@/components/row-moment";
import { BELOW, WIDE_ONLY } from "@/components/stacked-cell";
import { cn } from "@/lib/cn";
import { formatDuration, formatMoment } from "@/lib/format";
import { CallDetails } from "./call-details";
import { CallDuration, CallName, CallObjectLink, CallOutcome, useActorName } from "./call-words";

export function useCallColumns(hasDays: boolean): Column[] {
  const t = useTranslations("calls.columns");
  return [
    { header: t("at"), width: hasDays ? "w-[12.75rem]" : "w-[9.5rem]" },
    { header: t("outcome"), width: "w-[11rem]" },
    { header: t("call") },
    { header: t("object"), width: "w-[clamp(6rem,12.5cqi,11rem)]", from: "wide" },
    { header: t("actor"), width: "w-[clamp(6rem,13.5cqi,12rem)]", from: "wide" },
    { header: t("lane"), width: "w-[clamp(5.5rem,12cqi,9rem)]", from: "wide" },
    { header: t("duration"), width: "w-[5.75rem]", align: "end", from: "medium" },
  ];
}

type CallTableRowProps = {
  call: CallRow;
  /** Some of the rows are of another day: each names its own. */
  hasDays: boolean;
  isOpen: boolean;
  onToggle: () => void;
};

/** One call, and under it, once it is opened, everything that is known of it. */
export function CallTableRow({ call, hasDays, isOpen, onToggle }: CallTableRowProps) {
  const t = useTranslations("calls");
  const locale = useLocale();
  const nameOf = useActorName();
  const { time } = formatMoment(call.at, locale);
  return (
    <OpenableRow
      label={t("details", { time })}
      head={<RowMoment at={call.at} hasDay={hasDays} />}
      isOpen={isOpen}
      onToggle={onToggle}
      details={<CallDetails call={call} />}
    >
      <td className={BELOW}>
        <CallOutcome call={call} />
      </td>
      <td title={`${call.method} ${call.path}`} className={BELOW}>
        {call.attempt > 1 ? <Again attempt={call.attempt} /> : null}
        <CallName call={call} />
      </td>
      <td data-from="wide" className={WIDE_ONLY}>
        {call.object === null ? null : <CallObjectLink object={call.object} />}
      </td>
      <td data-from="wide" className={cn(WIDE_ONLY, "text-muted")}>
        {nameOf(call)}
      </td>
      <td data-from="wide" className={cn(WIDE_ONLY, "text-muted")}>
        {t(`lanes.${call.lane}`)}
        {call.waitedMs > 0 ? <span className="text-faint"> · {formatDuration(call.waitedMs, locale)}</span> : null}
      </td>
      <td data-from="medium" data-align="end">
        <CallDuration ms={call.durationMs} isSlow={call.durationMs >= SLOW_MS} />
      </td>
    </OpenableRow>
  );
}

/** It is not the first attempt of its call. */
function Again({ attempt }: { attempt: number }) {
  const t = useTranslations("calls");
  return (
    <span
      title={t("attempt", { number: attempt })}
      className="mr-2 inline-flex items-center align-bottom gap-0.5 text-sm text-warning"
    >
      <span className="sr-only">{t("attempt", { number: attempt })}</span>
      <Repeat2 aria-hidden size={13} />
      <span aria-hidden>{attempt}</span>
    </span>
  );
}
