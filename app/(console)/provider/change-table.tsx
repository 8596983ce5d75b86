"use client";

import { useLocale, useTranslations } from "next-intl";
import { OpenableTable } from "@/components/table/openable-table";
import { BELOW, type Columns } from "@/components/table/data-table";
import { Fact, RowDetails } from "@/components/table/row-details";
import { useOpenRows } from "@/components/table/use-steady-rows";
import { cn } from "@/components/ui/cn";
import type { ChangeRow } from "@/lib/conformance/view";
import { formatCount, formatDate, formatDateTime } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { DifferenceBadge, DifferenceNote, FieldName } from "./difference-words";

const LONG = "py-1.5 wraps";

const keyOf = ({ operation, is, field, found }: ChangeRow) =>
  [operation, is, field, found].map(encodeURIComponent).join("/");

function useShare(): (counted: { answers: number; of: number }) => string {
  const t = useTranslations("conformance");
  const locale = useLocale();
  return ({ answers, of }) => t("of", { answers: formatCount(answers, locale), of: formatCount(of, locale) });
}

function ChangeDetails({ row }: { row: ChangeRow }) {
  const t = useTranslations("conformance");
  const locale = useLocale();
  const shareOf = useShare();
  const path = row.operation.slice(row.operation.indexOf(" ") + 1);
  return (
    <RowDetails
      ways={[{ href: hrefWith("/calls", { view: "all", path }), label: t("callsOf") }]}
      facts={
        <>
          <Fact name={t("columns.operation")}>
            <code className="font-mono text-sm wrap-anywhere">{row.operation}</code>
          </Fact>
          <Fact name={t("columns.field")}>
            <FieldName field={row.field} />
          </Fact>
          <Fact name={t("columns.difference")}>
            <DifferenceNote {...row} />
          </Fact>
          <Fact name={t("columns.first")}>{formatDateTime(row.firstAt, locale)}</Fact>
        </>
      }
    >
      <section aria-label={t("byDay")} className="mt-3.5 border-t border-line pt-3">
        <p className="text-sm text-muted">{t("byDay")}</p>
        <dl className="mt-1.5 grid grid-cols-[max-content_1fr] gap-x-6 gap-y-0.5 text-sm tabular-nums">
          {row.days.map((one) => (
            <div key={one.day} className="contents">
              <dt className="text-muted">{formatDate(one.day, locale)}</dt>
              <dd>{shareOf(one)}</dd>
            </div>
          ))}
        </dl>
      </section>
    </RowDetails>
  );
}

export function ChangeTable({ rows }: { rows: readonly ChangeRow[] }) {
  const t = useTranslations("conformance");
  const locale = useLocale();
  const shareOf = useShare();
  const opening = useOpenRows();
  const columns: Columns<ChangeRow> = {
    field: {
      header: t("columns.field"),
      width: "text",
      td: LONG,
      cell: ({ field }) => <FieldName field={field} />,
    },
    difference: {
      header: t("columns.difference"),
      width: "name",
      td: cn(BELOW, LONG),
      cell: (row) => (
        <>
          <DifferenceBadge is={row.is} />
          <span className="mt-0.5 block text-sm text-muted">
            <DifferenceNote {...row} />
          </span>
        </>
      ),
    },
    operation: {
      header: t("columns.operation"),
      width: "text",
      td: cn(BELOW, LONG, "font-mono text-sm"),
      cell: ({ operation }) => operation,
    },
    answers: {
      header: t("columns.answers"),
      width: "id",
      align: "end",
      td: "tabular-nums",
      cell: shareOf,
    },
    last: {
      header: t("columns.last"),
      width: "date",
      from: "medium",
      td: "tabular-nums text-muted",
      cell: ({ lastAt }) => formatDateTime(lastAt, locale),
    },
  };
  return (
    <OpenableTable
      label={t("table")}
      columns={columns}
      rows={rows}
      keyOf={keyOf}
      details={{
        ...opening,
        labelOf: ({ field }) => t("details", { field: field === "" ? t("whole") : field }),
        contentOf: (row) => <ChangeDetails row={row} />,
      }}
      narrow="grid"
    />
  );
}
