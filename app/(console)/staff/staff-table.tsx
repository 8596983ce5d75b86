"use client";

import { Users } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { DataTable } from "@/components/table/data-table";
import { EmptyFilterView } from "@/components/table/empty-view";
import { EmptyView } from "@/components/table/empty-view";
import { Button } from "@/components/ui/button";
import type { StaffFilter, StaffRow } from "@/lib/staff/rules";
import { STAFF_VIEWS, type StaffView, viewOf } from "@/lib/staff/view";
import { isInvitation, StaffTableRow, useStaffColumns } from "./staff-row";

const SHOWN_ROWS = 50;

const fold = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

const isOfView = (row: StaffRow, view: StaffView) => view === "all" || viewOf(row.state) === view;

type Found = {
  rows: StaffRow[];
  counts: Record<StaffView, number>;
  sought: string;
  seek: (sought: string) => void;
  isFiltered: boolean;
};

/** Searched in the browser, so that no name leaves it. */
export function useFoundStaff(rows: readonly StaffRow[], { state, role }: StaffFilter): Found {
  const [sought, seek] = useState("");
  const ofRole = role === undefined ? rows : rows.filter((row) => row.roles.includes(role));
  const counts = { all: 0, active: 0, invited: 0, disabled: 0 };
  for (const view of STAFF_VIEWS) counts[view] = ofRole.filter((row) => isOfView(row, view)).length;
  const words = fold(sought).split(/\s+/).filter(Boolean);
  const fits = ({ name, email }: StaffRow) => words.every((word) => fold(`${name} ${email}`).includes(word));
  return {
    rows: ofRole.filter((row) => isOfView(row, state) && fits(row)),
    counts,
    sought,
    seek,
    isFiltered: state !== "all" || role !== undefined,
  };
}

type StaffTableProps = {
  found: Found;
  now: string;
  onRenew: (row: StaffRow) => void;
  onRevoke: (row: StaffRow) => void;
};

export function StaffTable({ found, now, onRenew, onRevoke }: StaffTableProps) {
  const t = useTranslations("staff");
  const [limit, setLimit] = useState(SHOWN_ROWS);
  const { rows, sought } = found;
  const hasInvitations = rows.some(isInvitation);
  const columns = useStaffColumns(hasInvitations);
  const left = rows.length - limit;
  return (
    <>
      <p aria-live="polite" className="sr-only">
        {sought === "" ? null : t("found", { count: rows.length })}
      </p>
      {rows.length === 0 ? (
        <NobodyFound found={found} />
      ) : (
        <DataTable label={t("title")} columns={columns} isStacked>
          {rows.slice(0, limit).map((row) => (
            <StaffTableRow
              key={row.id}
              row={row}
              now={now}
              hasInvitations={hasInvitations}
              onRenew={() => onRenew(row)}
              onRevoke={() => onRevoke(row)}
            />
          ))}
        </DataTable>
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

function NobodyFound({ found: { sought, seek, isFiltered } }: { found: Found }) {
  const t = useTranslations();
  if (sought !== "") {
    return (
      <EmptyView icon={Users} title={t("staff.noneFoundTitle")} body={t("staff.noneFoundBody", { sought })}>
        <Button onClick={() => seek("")}>{t("staff.clearSearch")}</Button>
      </EmptyView>
    );
  }
  if (!isFiltered) return <EmptyView icon={Users} title={t("staff.emptyTitle")} body={t("staff.emptyBody")} />;
  return <EmptyFilterView icon={Users} href="/staff" />;
}
