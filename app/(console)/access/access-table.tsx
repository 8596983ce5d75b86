import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { BreakGlass, RoleBadges, SecondFactor, StateBadge } from "@/app/(console)/staff/staff-words";
import { Age } from "@/components/freshness/age";
import { EmptyView } from "@/components/layout/empty-view";
import { type Columns, DataTable } from "@/components/table/data-table";
import type { StaffRow } from "@/lib/staff/inputs";
import type { AccessFileColumn } from "@/lib/staff/queries";
import { formatDateTime, unbroken } from "@/lib/text/format";

type Within = "email" | "until";

type AccessTableProps = { people: readonly StaffRow[]; now: string; isManager: boolean };

export function AccessTable({ people, now, isManager }: AccessTableProps) {
  const t = useTranslations();
  const locale = useLocale();
  if (people.length === 0) return <EmptyView icon="users" title={t("staff.emptyTitle")} body={t("access.emptyBody")} />;
  const lastSign = ({ expiresAt, lastActiveAt }: StaffRow) => {
    if (expiresAt !== null)
      return (
        <span className="whitespace-normal text-muted">
          {t("staff.expiresAt", { time: unbroken(formatDateTime(expiresAt, locale)) })}
        </span>
      );
    if (lastActiveAt === null) return <span className="text-faint">{t("staff.never")}</span>;
    return <Age since={lastActiveAt} now={now} />;
  };
  const columns: Columns<StaffRow, Exclude<AccessFileColumn, Within>> = {
    name: {
      header: t("staff.columns.name"),
      width: "text",
      cell: (row) => (
        <span className="block py-1.5">
          <span className="flex min-w-0 items-center gap-2">
            {isManager && (row.state === "active" || row.state === "disabled") ? (
              <Link href={`/staff/${row.id}`} prefetch={false} className="row-link truncate font-medium">
                <bdi>{row.name}</bdi>
              </Link>
            ) : (
              <bdi className="truncate font-medium">{row.name}</bdi>
            )}
            {row.isSelf ? <span className="text-sm text-muted">({t("staff.you")})</span> : null}
            <BreakGlass row={row} />
          </span>
          <span className="block truncate text-sm text-muted">{row.email}</span>
        </span>
      ),
    },
    roles: { header: t("staff.columns.roles"), width: "name", cell: ({ roles }) => <RoleBadges roles={roles} /> },
    state: { header: t("staff.columns.state"), width: "status", cell: (row) => <StateBadge state={row.state} /> },
    factor: { header: t("staff.columns.factor"), width: "name", cell: (row) => <SecondFactor row={row} /> },
    lastActive: {
      header: t("staff.columns.lastActive"),
      width: "date",
      align: "end",
      cell: (row) => lastSign(row),
    },
  };
  return <DataTable label={t("access.people")} columns={columns} rows={people} keyOf={({ id }) => id} narrow="block" />;
}
