"use client";

import { ArrowUp } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { KycStatusBadge } from "@/components/layout/badges";
import { Age } from "@/components/live/age";
import type { Column } from "@/components/table/data-table";
import { Button, buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import { statusCell } from "@/components/ui/status";
import { cn } from "@/components/ui/cn";
import type { KycFilter } from "@/lib/kyc/rules";
import { type KycSort, NATURAL_ORDER, orderOf, queueHref, sortOf } from "@/lib/kyc/view";
import { formatDateTime, initialsOf } from "@/lib/text/format";
import { KycStepName, KycTypeName, useDue } from "./case-words";
import type { SteadyRow } from "./queue";

const OTHER = { asc: "desc", desc: "asc" } as const;

type QueueColumnsProps = { filter: KycFilter; selectAll: ReactNode };

export function useQueueColumns({ filter, selectAll }: QueueColumnsProps): Column[] {
  const t = useTranslations("kyc.columns");
  const queue = useTranslations("kycQueue");
  const [sort, order] = [sortOf(filter), orderOf(filter)];
  const by = (wanted: KycSort) => {
    const isCurrent = wanted === sort;
    return {
      href: queueHref(filter, { sort: wanted, order: isCurrent ? OTHER[order] : NATURAL_ORDER[wanted] }),
      direction: isCurrent ? order : null,
      icon: isCurrent ? <ArrowUp aria-hidden size={11} className={order === "asc" ? "" : "rotate-180"} /> : null,
    };
  };
  const time = sort === "changed" ? t("changed") : sort === "waiting" ? queue("columns.waiting") : t("firstSeen");
  return [
    {
      header: t("status"),
      width: selectAll === null ? "w-[clamp(8.5rem,11cqi,9rem)]" : "w-[clamp(10.25rem,14cqi,11rem)]",
      content:
        selectAll === null ? undefined : (
          <>
            {selectAll}
            {t("status")}
          </>
        ),
    },
    { header: t("document"), width: "w-[clamp(10.5rem,20cqi,18rem)]" },
    { header: t("type"), from: "medium" },
    { header: queue("columns.assignee"), width: "w-[13cqi]" },
    { header: queue("columns.due"), width: "w-[9.25rem]", sort: by("due") },
    {
      header: time,
      width: "w-[5.75rem]",
      from: "wide",
      align: "end",
      sort: by(sort === "due" ? "arrival" : sort),
    },
    { header: t("action"), width: "w-[clamp(6rem,8cqi,8rem)]", align: "end", isHeaderHidden: true },
  ];
}

export const decideButtonId = (kycUUID: string) => `decide-${kycUUID}`;

export const SELECT_CLASS = "relative z-1 mr-3 size-4 align-middle accent-accent @max-[41.9rem]:mr-2";

type QueueRowProps = {
  row: SteadyRow;
  href: string;
  now: string;
  dueSoonHours: number;
  sort: KycSort;
  denial: string | null;
  /** Null: nothing can be selected. */
  isSelected: boolean | null;
  onSelect: (isRange: boolean) => void;
  onIntent: () => void;
  onDecide: () => void;
};

/** By deadline, how long ago the case came. */
const timeOf = (row: SteadyRow, sort: KycSort) =>
  sort === "changed" ? row.changedAt : sort === "waiting" ? (row.waitingSince ?? row.firstSeenAt) : row.firstSeenAt;

export function QueueRow({ row, href, now, dueSoonHours, sort, ...given }: QueueRowProps) {
  const t = useTranslations("kycQueue");
  const approvals = useTranslations("approvals");
  const locale = useLocale();
  const { isSelected, onSelect } = given;
  const due = useDue({ row, now, dueSoonHours });
  return (
    <tr data-case={row.kycUUID} className={cn(row.isGone && "text-faint", isSelected && "bg-accent-tint!")}>
      <td>
        {isSelected === null ? null : (
          <input
            type="checkbox"
            checked={isSelected}
            aria-label={t("select", { document: row.vatNumber })}
            onChange={({ nativeEvent }) => onSelect(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
            className={SELECT_CLASS}
          />
        )}
        <KycStatusBadge status={row.status} />
      </td>
      <td title={row.tags.join(", ")}>
        <Link href={href} prefetch={false} className="row-link font-medium">
          {row.vatNumber}
        </Link>
        {row.tags.length === 0 ? null : <span className="text-sm text-muted"> {row.tags.join(" · ")}</span>}
      </td>
      <td data-from="medium">
        <KycTypeName type={row.kycType} />
        <span data-from="wide"> · {row.isGone ? t("gone") : <KycStepName process={row.process} />}</span>
        {row.proposal === null ? null : <span className="text-muted"> · {approvals("waits")}</span>}
      </td>
      <td
        title={row.assignee?.name}
        className={cn(row.assignee === null && "text-faint")}
        data-initials={row.assignee ? initialsOf(row.assignee.name) : undefined}
      >
        {row.assignee === null ? t("nobody") : row.assignee.name}
      </td>
      <td
        title={row.dueAt === null ? undefined : t("due.until", { time: formatDateTime(row.dueAt, locale) })}
        className={due === null ? undefined : statusCell(due)}
      >
        {due?.text}
      </td>
      <td data-from="wide" data-align="end">
        <Age since={timeOf(row, sort)} now={now} />
      </td>
      <td data-align="end">
        <DecideCell row={row} {...given} />
      </td>
    </tr>
  );
}

type DecideCellProps = Pick<QueueRowProps, "row" | "denial" | "onIntent" | "onDecide">;

function DecideCell({ row, denial, onIntent, onDecide }: DecideCellProps) {
  const t = useTranslations("kyc");
  const approvals = useTranslations("approvals");
  // A waiting proposal excludes another.
  const hindrance = denial ?? (row.proposal && approvals("alreadyWaits", { name: row.proposal.makerName }));
  const isDecided = row.status === "APPROVED" || row.status === "REPROVED";
  if (hindrance !== null) {
    return (
      <DeniedButton reason={hindrance} className={cn(buttonClass("plain", "small"), "row-action")}>
        {t("decide")}
      </DeniedButton>
    );
  }
  return (
    <Button
      id={decideButtonId(row.kycUUID)}
      size="small"
      tone={isDecided ? "quiet" : "plain"}
      aria-label={`${isDecided ? t("decideAgain") : t("decide")}: ${row.vatNumber}`}
      onClick={onDecide}
      onFocus={onIntent}
      onPointerEnter={onIntent}
      className="row-action relative z-1"
    >
      {t("decide")}
    </Button>
  );
}
