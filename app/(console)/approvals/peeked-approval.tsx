"use client";

import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Fact, RowDetails } from "@/components/table/row-details";
import type { ApprovalRow } from "@/lib/approvals/queries";
import { formatDateTime } from "@/lib/text/format";
import { ApprovalKindName, ApprovalStateBadge, ApprovalSummary } from "./approval-words";
import { Countdown } from "./countdown";

/** What the list knows of a request. */
export function PeekedApproval({ row, asOf }: { row: ApprovalRow; asOf: string | null }) {
  const t = useTranslations("approvals");
  const locale = useLocale();
  const facts: [string, ReactNode][] = [
    [t("columns.what"), <ApprovalKindName key="what" kind={row.kind} />],
    [t("columns.about"), <ApprovalSummary key="about" row={row} />],
    [t("columns.state"), <ApprovalStateBadge key="state" word={row.word} />],
    [t("maker"), row.makerName],
    [t("createdAt"), formatDateTime(row.createdAt, locale)],
    [
      t("columns.expires"),
      row.decision === null ? null : <Countdown key="left" expiresAt={row.expiresAt} now={asOf ?? row.createdAt} />,
    ],
  ];
  return (
    <RowDetails
      ways={[{ href: `/approvals/${row.id}`, label: t("seeRequest") }]}
      facts={facts.map(([name, shown]) =>
        shown === null ? null : (
          <Fact key={name} name={name}>
            <span className="min-w-0 wrap-anywhere">{shown}</span>
          </Fact>
        ),
      )}
    />
  );
}
