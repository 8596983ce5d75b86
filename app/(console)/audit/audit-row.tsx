"use client";

import { ChevronRight } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useId } from "react";
import type { Column } from "@/components/data-table";
import type { AuditRow } from "@/lib/audit-view";
import { cn } from "@/lib/cn";
import { formatMoment } from "@/lib/format";
import { AuditDetails } from "./audit-details";
import { AuditOutcome, ObjectLink, useActorName, useCodeName } from "./audit-words";

export function useAuditColumns(hasDays: boolean): Column[] {
  const t = useTranslations("audit.columns");
  return [
    { header: t("at"), width: hasDays ? "w-[12.75rem]" : "w-[9.5rem]" },
    { header: t("event") },
    { header: t("outcome"), width: "w-[9.5rem]" },
    { header: t("actor"), width: "w-[clamp(8rem,20cqi,16rem)]", from: "medium" },
    { header: t("object"), width: "w-[clamp(7rem,18cqi,14rem)]", from: "wide" },
    { header: t("row"), width: "w-[6rem]", align: "end", from: "wide" },
  ];
}

// Where the table is stacked: time and outcome on one line, the rest below.
const BELOW = "@max-[38rem]:order-1 @max-[38rem]:col-span-2";
const WIDE_ONLY = "@max-[38rem]:hidden!";

type AuditTableRowProps = { row: AuditRow; hasDays: boolean; isOpen: boolean; onToggle: () => void };

/** One deed, and under it, once it is opened, everything that is on record of it. */
export function AuditTableRow({ row, hasDays, isOpen, onToggle }: AuditTableRowProps) {
  const t = useTranslations("audit");
  const locale = useLocale();
  const nameOf = useCodeName();
  const actorName = useActorName();
  const detailsId = useId();
  const { day, time } = formatMoment(row.at, locale);
  return (
    <>
      <tr className={cn("@max-[38rem]:grid! @max-[38rem]:grid-cols-[1fr_auto]", isOpen && "bg-hover")}>
        <td>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailsId : undefined}
            aria-label={t("details", { row: row.seq })}
            onClick={onToggle}
            className="row-link inline-flex items-center gap-1.5"
          >
            <ChevronRight aria-hidden size={13} className={cn("shrink-0 text-faint", isOpen && "rotate-90")} />
            <time dateTime={row.at}>
              {hasDays ? <span className="text-faint">{day} </span> : null}
              {time}
            </time>
          </button>
        </td>
        <td title={row.code} className={BELOW}>
          {nameOf(row.code)}
        </td>
        <td>
          <AuditOutcome outcome={row.outcome} />
        </td>
        <td data-from="medium" className={cn(BELOW, "text-muted")}>
          {actorName(row)}
        </td>
        <td data-from="wide" className={WIDE_ONLY}>
          {row.object === null ? null : <ObjectLink object={row.object} name={row.objectName} />}
        </td>
        <td data-from="wide" data-align="end" className={cn(WIDE_ONLY, "text-faint tabular-nums")}>
          {row.seq}
        </td>
      </tr>
      {isOpen ? (
        <tr id={detailsId} className="p-0!">
          {/* As many columns as always show; what it holds is as wide as the table. */}
          <td colSpan={3} className="overflow-visible! border-0! p-0!">
            <AuditDetails row={row} />
          </td>
        </tr>
      ) : null}
    </>
  );
}
