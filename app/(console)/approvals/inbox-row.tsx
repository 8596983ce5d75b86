"use client";

import { ArrowRight } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { PersonName } from "@/components/layout/person-name";
import { Age } from "@/components/live/age";
import type { Column } from "@/components/table/data-table";
import { Badge } from "@/components/ui/badge";
import type { ApprovalRow } from "@/lib/approvals/queries";
import { BELOW, WIDE_ONLY } from "@/components/table/data-table";
import { cn } from "@/components/ui/cn";
import { ApprovalKindName, ApprovalStateBadge, ShownValue } from "./approval-words";
import { Countdown } from "./countdown";

export function useInboxColumns(isWaiting: boolean): Column[] {
  const t = useTranslations("approvals.columns");
  return [
    { header: t("what"), width: "w-[clamp(9rem,18cqi,14rem)]" },
    { header: t("about"), width: "w-[clamp(10.5rem,18cqi,14rem)]" },
    { header: t("change") },
    { header: t("maker"), width: "w-[16cqi]", from: "wide" },
    { header: t("created"), width: "w-[7rem]", from: "wide", align: "end" },
    isWaiting
      ? { header: t("expires"), width: "w-[7.5rem]", align: "end" }
      : { header: t("state"), width: "w-[clamp(9.75rem,16cqi,12rem)]" },
  ];
}

type InboxRowProps = { row: ApprovalRow; now: string; isWaiting: boolean };

export function InboxRow({ row, now, isWaiting }: InboxRowProps) {
  const t = useTranslations("approvals");
  return (
    <tr className="@max-[38rem]:grid! @max-[38rem]:grid-cols-[1fr_auto] @max-[38rem]:gap-x-3">
      <td>
        <Link href={`/approvals/${row.id}`} prefetch={false} data-approval className="row-link font-medium">
          <ApprovalKindName kind={row.kind} />
        </Link>
      </td>
      <td className={BELOW}>
        {row.headline === null ? <Badge tone="negative">{t("edited")}</Badge> : <ShownValue value={row.headline} />}
      </td>
      <td className={BELOW}>{row.gist === null ? null : <Gist gist={row.gist} />}</td>
      <td data-from="wide" className={cn(BELOW, "text-muted")}>
        <PersonName name={row.makerName} you={row.isMine ? t("you") : null} />
      </td>
      <td data-from="wide" data-align="end" className={WIDE_ONLY}>
        <Age since={row.createdAt} now={now} />
      </td>
      {isWaiting ? (
        <td data-align="end">
          <Countdown expiresAt={row.expiresAt} now={now} />
        </td>
      ) : (
        <td>
          <ApprovalStateBadge state={row.state} />
        </td>
      )}
    </tr>
  );
}

function Gist({ gist: { before, after } }: { gist: NonNullable<ApprovalRow["gist"]> }) {
  const t = useTranslations("approvals");
  return (
    <span className="flex min-w-0 items-center gap-2">
      {before === null ? null : (
        <span className="text-muted @max-[62rem]:hidden @max-[50rem]:inline @max-[46rem]:hidden @max-[38rem]:inline">
          <span className="sr-only">{t("before")}: </span>
          <ShownValue value={before} />
        </span>
      )}
      <ArrowRight aria-hidden size={13} className="shrink-0 text-faint" />
      <span className="truncate">
        <span className="sr-only">{t("after")}: </span>
        <ShownValue value={after} />
      </span>
    </span>
  );
}
