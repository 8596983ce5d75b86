"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { Age } from "@/components/live/age";
import type { Column } from "@/components/table/data-table";
import { WIDE_ONLY } from "@/components/table/data-table";
import { Button } from "@/components/ui/button";
import { formatDateTime } from "@/lib/text/format";
import type { StaffRow } from "@/lib/staff/rules";
import { BreakGlass, RoleBadges, SecondFactor, StateBadge } from "./staff-words";

export const isInvitation = (row: StaffRow) => row.state === "invited" || row.state === "expired";

export function useStaffColumns(hasInvitations: boolean): Column[] {
  const t = useTranslations("staff.columns");
  return [
    { header: t("name") },
    { header: t("roles"), width: "w-[clamp(8rem,19cqi,16rem)]" },
    { header: t("state"), width: "w-[9.5rem]" },
    { header: t("factor"), width: "w-[7.5rem]", from: "wide" },
    { header: t("lastActive"), width: hasInvitations ? "w-[10.5rem]" : "w-[8rem]", from: "medium", align: "end" },
    ...(hasInvitations
      ? [{ header: t("action"), width: "w-[11.5rem]", align: "end", isHeaderHidden: true } as const]
      : []),
  ];
}

type StaffTableRowProps = {
  row: StaffRow;
  now: string;
  hasInvitations: boolean;
  onRenew: () => void;
  onRevoke: () => void;
};

export function StaffTableRow({ row, now, hasInvitations, onRenew, onRevoke }: StaffTableRowProps) {
  const t = useTranslations("staff");
  return (
    <tr>
      <td>
        <Person row={row} />
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
        <LastSign row={row} now={now} />
      </td>
      {hasInvitations ? (
        <td data-align="end">
          {isInvitation(row) ? (
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
      ) : null}
    </tr>
  );
}

function Person({ row }: { row: StaffRow }) {
  const t = useTranslations("staff");
  return (
    <span className="block py-1.5">
      <span className="flex min-w-0 items-center gap-2">
        {isInvitation(row) ? (
          <span className="truncate font-medium">
            <bdi>{row.name}</bdi>
          </span>
        ) : (
          <Link href={`/staff/${row.id}`} prefetch={false} className="row-link truncate font-medium">
            <bdi>{row.name}</bdi>
          </Link>
        )}
        {row.isSelf ? <span className="text-sm text-muted print:hidden">({t("you")})</span> : null}
        <BreakGlass row={row} />
      </span>
      <span className="block truncate text-sm text-muted">
        {row.isDemo ? `${row.email} · ${t("demo")}` : row.email}
      </span>
    </span>
  );
}

function LastSign({ row, now }: { row: StaffRow; now: string }) {
  const t = useTranslations("staff");
  const locale = useLocale();
  if (row.expiresAt !== null) {
    return <span className="text-muted">{t("expiresAt", { time: formatDateTime(row.expiresAt, locale) })}</span>;
  }
  if (row.lastActiveAt === null) return <span className="text-faint">{t("never")}</span>;
  return <Age since={row.lastActiveAt} now={now} />;
}
