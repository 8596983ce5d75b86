"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { Age } from "@/components/freshness/age";
import { kycLookOf, KycStatusBadge } from "@/components/layout/badges";
import type { Columns } from "@/components/table/data-table";
import { Button, buttonClass } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { DeniedButton } from "@/components/ui/denied-button";
import { statusCell } from "@/components/ui/status";
import type { KycFilter } from "@/lib/kyc/inputs";
import type { KycQueue, KycRow, QueueFileColumn } from "@/lib/kyc/queries";
import { queueFilterValues, type KycSort, NATURAL_ORDER, orderOf, caseQueueHref, sortOf } from "@/lib/kyc/view";
import { formatDateTime } from "@/lib/text/format";
import { initialsOf } from "@/lib/text/initials";
import { hrefWith } from "@/lib/text/page";
import { isUnknown } from "@/lib/text/provider-word";
import { DoubtMark, ExposureMark, EscalationMark, KycStepName, KycTypeName, PutOffMark, useDue } from "./case-words";
import { useBlockedReason } from "./use-blocked-reason";
import type { Selection } from "@/components/table/use-selection";
import { decideButtonId, type SteadyRow } from "./use-steady-cases";

/** Columns of the file that other screen columns contain. */
type Within = "id" | "type" | "tags" | "firstSeen" | "changed" | "waiting" | "decided";

type QueueColumn = Exclude<QueueFileColumn, Within> | "time" | "action";

type QueueColumnsProps = {
  filter: KycFilter;
  page: Pick<KycQueue, "readAt" | "dueSoonHours">;
  /** Null when nothing can be selected. */
  selection: Selection | null;
  denial: string | null;
  onIntent: () => void;
  onDecide: (row: SteadyRow) => void;
};

const OTHER = { asc: "desc", desc: "asc" } as const;

const sortingOf = (filter: KycFilter) => (wanted: KycSort) => {
  const isCurrent = wanted === sortOf(filter);
  const order = orderOf(filter);
  return {
    href: caseQueueHref(filter, { sort: wanted, order: isCurrent ? OTHER[order] : NATURAL_ORDER[wanted] }),
    direction: isCurrent ? order : null,
  };
};

/** When sorted by deadline, shows how long ago the case arrived. */
const timeOf = (row: SteadyRow, sort: KycSort) =>
  sort === "changed" ? row.changedAt : sort === "waiting" ? (row.waitingSince ?? row.firstSeenAt) : row.firstSeenAt;

export function useQueueColumns(props: QueueColumnsProps): Columns<SteadyRow, QueueColumn> {
  const { filter, page, selection, denial, onIntent, onDecide } = props;
  const t = useTranslations("kyc.columns");
  const queue = useTranslations("kycQueue");
  const status = useTranslations("kyc.status");
  const approvals = useTranslations("approvals");
  const locale = useLocale();
  const dueOf = useDue(page);
  const sort = sortOf(filter);
  const by = sortingOf(filter);
  return {
    status: {
      header: t("status"),
      width: "status",
      th: "@max-wide:w-[9.5rem]",
      content:
        selection === null ? undefined : (
          <>
            <SelectPage selection={selection} />
            {t("status")}
          </>
        ),
      td: (row) => ({ className: isUnknown(row.status) ? undefined : statusCell(kycLookOf(row.status)) }),
      cell: (row) => (
        <>
          {selection === null || row.isGone ? null : <SelectRow row={row} selection={selection} />}
          {isUnknown(row.status) ? <KycStatusBadge status={row.status} /> : status(row.status)}
        </>
      ),
    },
    document: {
      header: t("document"),
      width: "date",
      th: "@max-wide:w-[10.5rem]",
      td: (row) => ({ title: row.tags.join(", ") || undefined }),
      cell: (row) => (
        <>
          <Link
            href={hrefWith(`/kyc/${encodeURIComponent(row.kycUUID)}`, queueFilterValues(filter))}
            prefetch={false}
            className="row-link font-medium"
          >
            {row.vatNumber}
          </Link>
          {row.tags.length === 0 ? null : (
            <span className="block text-sm whitespace-normal text-muted">{row.tags.join(" · ")}</span>
          )}
          {row.isPerhaps ? (
            <span className="block text-sm whitespace-normal text-warning">{queue("perhaps")}</span>
          ) : null}
        </>
      ),
    },
    process: {
      header: t("process"),
      width: "text",
      content: (
        <>
          <span data-from="wide">{t("type")} · </span>
          {t("process")}
        </>
      ),
      td: "py-1.5 wraps @max-wide:text-sm",
      cell: (row) => (
        <>
          <span data-from="wide">
            <KycTypeName type={row.kycType} /> ·{" "}
          </span>
          {row.isGone ? queue("gone") : <KycStepName process={row.process} />}
          {row.pendingApproval === null ? null : (
            <span className="text-muted"> · {approvals(row.pendingApproval.isUnderWay ? "isUnderWay" : "waits")}</span>
          )}
          <ExposureMark row={row} />
          <DoubtMark row={row} />
          <PutOffMark row={row} />
          <EscalationMark row={row} />
        </>
      ),
    },
    assignee: {
      header: queue("columns.assignee"),
      width: "name",
      th: "@max-wide:w-[6.5rem]",
      td: ({ assignee }) => ({
        title: assignee?.name,
        className: assignee === null ? "text-faint" : undefined,
        "data-initials": assignee === null ? "" : initialsOf(assignee.name),
      }),
      cell: ({ assignee }) => assignee?.name ?? queue("nobody"),
    },
    due: {
      header: queue("columns.due"),
      width: "status",
      sort: by("due"),
      td: (row) => {
        const due = dueOf(row);
        return {
          title: row.dueAt === null ? undefined : queue("due.until", { time: formatDateTime(row.dueAt, locale) }),
          className: due === null ? undefined : cn("whitespace-normal! status-hanging", statusCell(due)),
        };
      },
      cell: (row) => dueOf(row)?.text,
    },
    time: {
      header: sort === "changed" ? t("changed") : sort === "waiting" ? queue("columns.waiting") : t("firstSeen"),
      width: "short",
      from: "wide",
      align: "end",
      sort: by(sort === "due" ? "arrival" : sort),
      cell: (row) => <Age since={timeOf(row, sort)} now={page.readAt} />,
    },
    action: {
      header: t("action"),
      width: "short",
      align: "end",
      isHeaderHidden: true,
      cell: (row) => <DecideCell row={row} denial={denial} onIntent={onIntent} onDecide={() => onDecide(row)} />,
    },
  };
}

function SelectPage({ selection }: { selection: Selection }) {
  const t = useTranslations("kycQueue");
  return (
    <input
      type="checkbox"
      checked={selection.isWholePage}
      aria-label={t("selectPage")}
      onChange={selection.togglePage}
      className="relative z-1 mr-3 size-4 align-middle accent-accent @max-wide:mr-2"
    />
  );
}

function SelectRow({ row, selection }: { row: SteadyRow; selection: Selection }) {
  const t = useTranslations("kycQueue");
  return (
    <input
      type="checkbox"
      checked={selection.isOn(row.kycUUID)}
      aria-label={t("select", { document: row.vatNumber })}
      onChange={({ nativeEvent }) =>
        selection.toggle(row.kycUUID, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
      className="row-select"
    />
  );
}

type DecideCellProps = { row: KycRow; denial: string | null; onIntent: () => void; onDecide: () => void };

function DecideCell({ row, denial, onIntent, onDecide }: DecideCellProps) {
  const t = useTranslations("kyc");
  const blockedReason = useBlockedReason(row, denial);
  const isDecided = row.status === "APPROVED" || row.status === "REPROVED";
  if (blockedReason !== null) {
    return (
      <DeniedButton reason={blockedReason} className={cn(buttonClass("plain", "small"), "row-action")}>
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
      className="row-action"
    >
      {t("decide")}
    </Button>
  );
}
