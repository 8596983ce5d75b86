"use client";

import { ScrollText } from "lucide-react";
import { useTranslations } from "next-intl";
import { DataTable } from "@/components/data-table";
import { EmptyFilterView } from "@/components/empty-filter-view";
import { EmptyView } from "@/components/empty-view";
import { NeighbourLinks } from "@/components/neighbour-links";
import { useOpenRows } from "@/components/use-open-rows";
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
  const { open, toggle } = useOpenRows();
  const { before, after, ...kept } = filter;
  const hasDays = trail.rows.some(({ at }) => civilDay(new Date(at)) !== civilDay(new Date(trail.asOf)));
  const columns = useAuditColumns(hasDays);
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
          <NeighbourLinks
            newer={trail.newer === null ? null : hrefWith("/audit", { ...kept, after: trail.newer })}
            older={trail.older === null ? null : hrefWith("/audit", { ...kept, before: trail.older })}
          />
        </>
      )}
    </>
  );
}

function NoRows({ isFiltered }: { isFiltered: boolean }) {
  const t = useTranslations();
  if (!isFiltered) return <EmptyView icon={ScrollText} title={t("audit.emptyTitle")} body={t("audit.emptyBody")} />;
  return <EmptyFilterView icon={ScrollText} href="/audit" />;
}
