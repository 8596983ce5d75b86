"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { Age } from "@/components/age";
import type { Column } from "@/components/data-table";
import { Badge } from "@/components/ui/badge";
import type { ApprovalRow } from "@/lib/approvals/queries";
import { ApprovalKindName, ApprovalStateBadge, ShownValue } from "./approval-words";
import { Countdown } from "./countdown";

export function useInboxColumns(isWaiting: boolean): Column[] {
  const t = useTranslations("approvals.columns");
  return [
    { header: t("what"), width: "w-[clamp(9rem,24cqi,16rem)]" },
    { header: t("about") },
    { header: t("maker"), width: "w-[18cqi]", from: "medium" },
    { header: t("created"), width: "w-[7rem]", from: "wide", align: "end" },
    isWaiting
      ? { header: t("expires"), width: "w-[7.5rem]", align: "end" }
      : { header: t("state"), width: "w-[clamp(7.5rem,16cqi,12rem)]" },
  ];
}

type InboxRowProps = { row: ApprovalRow; now: string; isWaiting: boolean };

export function InboxRow({ row, now, isWaiting }: InboxRowProps) {
  const t = useTranslations("approvals");
  return (
    <tr>
      <td>
        <Link href={`/approvals/${row.id}`} prefetch={false} data-approval className="row-link font-medium">
          <ApprovalKindName kind={row.kind} />
        </Link>
      </td>
      <td>
        {row.headline === null ? <Badge tone="negative">{t("edited")}</Badge> : <ShownValue value={row.headline} />}
      </td>
      <td data-from="medium">{row.isMine ? t("you") : row.makerName}</td>
      <td data-from="wide" data-align="end">
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
