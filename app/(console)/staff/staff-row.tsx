"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { Age } from "@/components/age";
import type { Column } from "@/components/data-table";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { formatDateTime } from "@/lib/format";
import type { StaffRow } from "@/lib/staff/rules";
import { RoleBadges, SecondFactor, StateBadge } from "./staff-words";

export function useStaffColumns(): Column[] {
  const t = useTranslations("staff.columns");
  return [
    { header: t("name") },
    { header: t("roles"), width: "w-[clamp(9rem,26cqi,19rem)]" },
    { header: t("state"), width: "w-[10.5rem]" },
    { header: t("factor"), width: "w-[8rem]", from: "wide" },
    { header: t("lastActive"), width: "w-[8.5rem]", from: "medium", align: "end" },
    { header: t("action"), width: "w-[12rem]", align: "end", isHeaderHidden: true },
  ];
}

// Where the table is stacked, the person and their state say enough.
const WIDE_ONLY = "@max-[38rem]:hidden!";

type StaffTableRowProps = {
  row: StaffRow;
  /** When the rows were read (ISO); ages are counted from it. */
  now: string;
  onRenew: () => void;
  onRevoke: () => void;
};

export function StaffTableRow({ row, now, onRenew, onRevoke }: StaffTableRowProps) {
  const t = useTranslations("staff");
  const isInvitation = row.hasSecondFactor === null;
  return (
    <tr>
      <td>
        <Person row={row} isInvitation={isInvitation} />
      </td>
      <td>
        <RoleBadges roles={row.roles} />
      </td>
      <td>
        <StateBadge state={row.state} />
      </td>
      <td data-from="wide" className={WIDE_ONLY}>
        <SecondFactor row={row} />
      </td>
      <td data-from="medium" data-align="end" className={WIDE_ONLY}>
        <LastSign row={row} now={now} isInvitation={isInvitation} />
      </td>
      <td data-align="end">
        {isInvitation ? (
          <span className="flex justify-end gap-1.5 @max-[38rem]:justify-start">
            <Button size="small" aria-label={t("renewOf", { name: row.name })} onClick={onRenew}>
              {t("renew")}
            </Button>
            <Button size="small" tone="quiet" aria-label={t("revokeOf", { name: row.name })} onClick={onRevoke}>
              {t("revoke")}
            </Button>
          </span>
        ) : null}
      </td>
    </tr>
  );
}

function Person({ row, isInvitation }: { row: StaffRow; isInvitation: boolean }) {
  const t = useTranslations("staff");
  return (
    <span className="block py-1.5">
      <span className="flex min-w-0 items-center gap-2">
        {isInvitation ? (
          <span className="truncate font-medium">
            <bdi>{row.name}</bdi>
          </span>
        ) : (
          <Link href={`/staff/${row.id}`} prefetch={false} className="row-link truncate font-medium">
            <bdi>{row.name}</bdi>
          </Link>
        )}
        {row.isSelf ? <span className="text-sm text-muted">({t("you")})</span> : null}
        {row.isDemo ? (
          <Badge tone="neutral" isDotted={false}>
            {t("demo")}
          </Badge>
        ) : null}
      </span>
      <span className="block truncate text-sm text-muted">{row.email}</span>
    </span>
  );
}

/** When the person was last here, or until when they may come. */
function LastSign({ row, now, isInvitation }: { row: StaffRow; now: string; isInvitation: boolean }) {
  const t = useTranslations("staff");
  const locale = useLocale();
  if (row.expiresAt !== null) {
    return <span className="text-muted">{t("expiresAt", { time: formatDateTime(row.expiresAt, locale) })}</span>;
  }
  if (row.lastActiveAt === null) return isInvitation ? null : <span className="text-faint">{t("never")}</span>;
  return <Age since={row.lastActiveAt} now={now} />;
}
