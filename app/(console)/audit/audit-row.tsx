"use client";

import { useTranslations } from "next-intl";
import type { Column } from "@/components/data-table";
import type { AuditRow } from "@/lib/audit-view";
import { OpenableRow } from "@/components/row-details";
import { RowMoment } from "@/components/row-moment";
import { BELOW, WIDE_ONLY } from "@/components/stacked-cell";
import { cn } from "@/lib/cn";
import { AuditDetails } from "./audit-details";
import { AuditOutcome, ObjectLink, useActorName, useEventName } from "./audit-words";

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

type AuditTableRowProps = { row: AuditRow; hasDays: boolean; isOpen: boolean; onToggle: () => void };

/** One deed, and under it, once it is opened, everything that is on record of it. */
export function AuditTableRow({ row, hasDays, isOpen, onToggle }: AuditTableRowProps) {
  const t = useTranslations("audit");
  const nameOf = useEventName();
  const actorName = useActorName();
  return (
    <OpenableRow
      label={t("details", { row: row.seq })}
      head={<RowMoment at={row.at} hasDay={hasDays} />}
      isOpen={isOpen}
      onToggle={onToggle}
      details={<AuditDetails row={row} />}
    >
      <td title={row.code} className={BELOW}>
        {nameOf(row)}
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
    </OpenableRow>
  );
}
