"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { Age } from "@/components/freshness/age";
import { type Columns, DataTable } from "@/components/table/data-table";
import { Button } from "@/components/ui/button";
import { formatDateTime, unbroken } from "@/lib/text/format";
import type { StaffRow, StaffFilter } from "@/lib/staff/inputs";
import { BreakGlass, RoleBadges, SecondFactor, StateBadge } from "./staff-words";
import { useState } from "react";
import { EmptyView, NoRows } from "@/components/layout/empty-view";
import { STAFF_VIEWS, type StaffView, viewOf } from "@/lib/staff/view";

const isInvitation = (row: StaffRow) => row.state === "invited" || row.state === "expired";

type StaffColumnsProps = {
  now: string;
  hasInvitations: boolean;
  onRenew: (row: StaffRow) => void;
  onRevoke: (row: StaffRow) => void;
};

function useStaffColumns({ now, hasInvitations, onRenew, onRevoke }: StaffColumnsProps): Columns<StaffRow> {
  const t = useTranslations("staff");
  return {
    name: { header: t("columns.name"), width: "text", cell: (row) => <Person row={row} /> },
    roles: {
      header: t("columns.roles"),
      width: "name",
      cell: ({ roles }) => <RoleBadges roles={roles} />,
    },
    state: {
      header: t("columns.state"),
      width: "status",
      cell: (row) => (
        <>
          <StateBadge state={row.state} />
          {hasInvitations ? (
            <span className="block pb-1 text-sm text-muted @wide:hidden">
              <span className="sr-only">{t("columns.lastActive")}</span> <LastSign row={row} now={now} />
            </span>
          ) : null}
        </>
      ),
    },
    factor: {
      header: t("columns.factor"),
      width: "name",
      from: "wide",
      cell: (row) => <SecondFactor row={row} />,
    },
    lastActive: {
      header: t("columns.lastActive"),
      width: "date",
      from: hasInvitations ? "wide" : "medium",
      align: "end",
      cell: (row) => <LastSign row={row} now={now} />,
    },
    ...(hasInvitations && {
      action: {
        header: t("columns.action"),
        width: "action",
        align: "end",
        isHeaderHidden: true,
        cell: (row) =>
          isInvitation(row) ? (
            <span className="flex flex-wrap justify-end gap-1.5 py-1.5 @max-medium:justify-start">
              <Button size="small" aria-label={t("renewOf", { name: row.name })} onClick={() => onRenew(row)}>
                {t("renew")}
              </Button>
              <Button
                size="small"
                tone="quiet"
                aria-label={t("revokeOf", { name: row.name })}
                onClick={() => onRevoke(row)}
              >
                {t("revoke")}
              </Button>
            </span>
          ) : null,
      },
    }),
  };
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
          <Link
            href={row.state === "proposed" ? `/approvals/${row.id}` : `/staff/${row.id}`}
            prefetch={false}
            className="row-link truncate font-medium"
          >
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
    const time = unbroken(formatDateTime(row.expiresAt, locale));
    return <span className="whitespace-normal text-muted">{t("expiresAt", { time })}</span>;
  }
  if (row.lastActiveAt === null) return <span className="text-faint">{t("never")}</span>;
  return <Age since={row.lastActiveAt} now={now} />;
}

const SHOWN_ROWS = 50;

const fold = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

function asPunycode(email: string): string {
  const address = `https://${email.slice(email.lastIndexOf("@") + 1)}`;
  return URL.canParse(address) ? new URL(address).hostname : "";
}

const isOfView = (row: StaffRow, view: StaffView) => view === "all" || viewOf(row.state) === view;

type FoundStaff = {
  rows: StaffRow[];
  counts: Record<StaffView, number>;
  typed: string;
  seek: (typed: string) => void;
  isFiltered: boolean;
};

/** Filtered in the browser, so that no name leaves it. */
export function useFoundStaff(rows: readonly StaffRow[], { state, role }: StaffFilter): FoundStaff {
  const [typed, seek] = useState("");
  const ofRole = role === undefined ? rows : rows.filter((row) => row.roles.includes(role));
  const counts = { all: 0, active: 0, invited: 0, disabled: 0 };
  for (const view of STAFF_VIEWS) counts[view] = ofRole.filter((row) => isOfView(row, view)).length;
  const words = fold(typed).split(/\s+/).filter(Boolean);
  const fits = ({ name, email }: StaffRow) => {
    const told = fold(`${name} ${email} ${asPunycode(email)}`);
    return words.every((word) => told.includes(word));
  };
  return {
    rows: ofRole.filter((row) => isOfView(row, state) && fits(row)),
    counts,
    typed,
    seek,
    isFiltered: state !== "all" || role !== undefined,
  };
}

type StaffTableProps = Omit<StaffColumnsProps, "hasInvitations"> & { found: FoundStaff };

export function StaffTable({ found, ...acting }: StaffTableProps) {
  const t = useTranslations("staff");
  const [limit, setLimit] = useState(SHOWN_ROWS);
  const { rows, typed } = found;
  const hasInvitations = rows.some(isInvitation);
  const columns = useStaffColumns({ hasInvitations, ...acting });
  const left = rows.length - limit;
  return (
    <>
      <p aria-live="polite" className="sr-only">
        {typed === "" ? null : t("found", { count: rows.length })}
      </p>
      {rows.length === 0 ? (
        <NobodyFound found={found} />
      ) : (
        <DataTable
          label={t("title")}
          columns={columns}
          rows={rows.slice(0, limit)}
          keyOf={({ id }) => id}
          narrow="block"
        />
      )}
      {left > 0 ? (
        <p className="px-5 py-3">
          <Button size="small" onClick={() => setLimit(limit + SHOWN_ROWS)}>
            {t("more", { count: Math.min(left, SHOWN_ROWS) })}
          </Button>
        </p>
      ) : null}
    </>
  );
}

function NobodyFound({ found: { typed, seek, isFiltered } }: { found: FoundStaff }) {
  const t = useTranslations();
  if (typed !== "") {
    return (
      <EmptyView icon="users" title={t("staff.noneFoundTitle")} body={t("staff.noneFoundBody", { typed })}>
        <Button onClick={() => seek("")}>{t("staff.clearSearch")}</Button>
      </EmptyView>
    );
  }
  return (
    <NoRows
      icon="users"
      isFiltered={isFiltered}
      plainHref="/staff"
      title={t("staff.emptyTitle")}
      body={t("staff.emptyBody")}
    />
  );
}
