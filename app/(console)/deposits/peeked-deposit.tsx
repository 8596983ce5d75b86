"use client";

import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Fact, RowDetails } from "@/components/table/row-details";
import { ShortCode } from "@/components/table/short-code";
import type { DepositRow as Row } from "@/lib/deposits/view";
import { formatDate, formatDateTime } from "@/lib/text/format";
import { DepositAmount, DepositHash, DepositOwner, DepositStatus } from "./deposit-words";

/** What the list knows of a deposit, all of it. */
export function PeekedDeposit({ row }: { row: Row }) {
  const t = useTranslations("deposits");
  const locale = useLocale();
  const facts: [string, ReactNode][] = [
    [t("columns.amount"), <DepositAmount key="amount" row={row} />],
    [t("columns.class"), <DepositStatus key="class" row={row} />],
    [t("columns.reference"), row.reference],
    [t("columns.address"), row.address && <ShortCode text={row.address} copyLabel={t("copyAddress")} />],
    [t("columns.hash"), row.hash && <DepositHash row={row} />],
    [t("columns.owner"), <DepositOwner key="owner" row={row} />],
    [t("csv.note"), row.note],
    [t("columns.at"), formatDateTime(row.at, locale)],
    [t("csv.due"), row.dueAt && formatDate(row.dueAt, locale)],
  ];
  return (
    <RowDetails
      ways={[{ href: `/deposits/${row.id}`, label: t("openDeposit") }]}
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
