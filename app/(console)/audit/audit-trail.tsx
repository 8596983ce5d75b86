"use client";

import { ScrollText } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { useState } from "react";
import { DataTable } from "@/components/data-table";
import { EmptyView } from "@/components/empty-view";
import { buttonClass } from "@/components/ui/button";
import type { Trail } from "@/lib/audit/queries";
import type { AuditFilter } from "@/lib/audit/rules";
import { hrefWith } from "@/lib/href";
import { civilDay } from "@/lib/time";
import { AuditTableRow, useAuditColumns } from "./audit-row";
import { FilterForm, type FilterChoices } from "./filter-form";
import { NewRows } from "./new-rows";
import { StateOfRecord } from "./state-of-record";

type AuditTrailProps = { trail: Trail; filter: AuditFilter; choices: FilterChoices };

/** The record as it stood when the page was opened: what comes later is counted, and moves nothing. */
export function AuditTrail({ trail, filter, choices }: AuditTrailProps) {
  const t = useTranslations("audit");
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const { before, after, ...kept } = filter;
  const hasDays = trail.rows.some(({ at }) => civilDay(new Date(at)) !== civilDay(new Date(trail.asOf)));
  const columns = useAuditColumns(hasDays);
  const toggle = (seq: number) => {
    const next = new Set(open);
    if (!next.delete(seq)) next.add(seq);
    setOpen(next);
  };
  return (
    <>
      <StateOfRecord state={trail.state} />
      <FilterForm filter={filter} choices={choices} people={trail.people} />
      {before === undefined && after === undefined ? <NewRows filter={kept} newest={trail.state.last} /> : null}
      {trail.rows.length === 0 ? (
        <NoRows isFiltered={Object.values(filter).some(Boolean)} />
      ) : (
        <>
          <DataTable label={t("title")} columns={columns} isStacked>
            {trail.rows.map((row) => (
              <AuditTableRow
                key={row.seq}
                row={row}
                hasDays={hasDays}
                isOpen={open.has(row.seq)}
                onToggle={() => toggle(row.seq)}
              />
            ))}
          </DataTable>
          <Neighbours
            newer={trail.newer && hrefWith("/audit", { ...kept, after: trail.newer })}
            older={trail.older && hrefWith("/audit", { ...kept, before: trail.older })}
          />
        </>
      )}
    </>
  );
}

function NoRows({ isFiltered }: { isFiltered: boolean }) {
  const t = useTranslations();
  if (!isFiltered) return <EmptyView icon={ScrollText} title={t("audit.emptyTitle")} body={t("audit.emptyBody")} />;
  return (
    <EmptyView icon={ScrollText} title={t("states.emptyFilter")} body={t("states.emptyFilterBody")}>
      <Link href="/audit" prefetch={false} className={buttonClass("plain")}>
        {t("states.clearFilter")}
      </Link>
    </EmptyView>
  );
}

type NeighboursProps = { newer: string | null | 0; older: string | null | 0 };

function Neighbours({ newer, older }: NeighboursProps) {
  const t = useTranslations("audit");
  if (newer === null && older === null) return null;
  const steps = [
    { href: newer, label: t("newer") },
    { href: older, label: t("older") },
  ];
  return (
    <nav aria-label={t("pages")} className="flex h-12 items-center justify-end gap-2 px-5">
      {steps.map(({ href, label }) =>
        href === null || href === 0 ? (
          <span key={label} aria-disabled className={buttonClass("plain", "small")}>
            {label}
          </span>
        ) : (
          <Link key={label} href={href} prefetch={false} className={buttonClass("plain", "small")}>
            {label}
          </Link>
        ),
      )}
    </nav>
  );
}
