import { useLocale } from "next-intl";
import Link from "next/link";
import type { ComponentProps, ReactNode } from "react";
import { Icon } from "@/components/ui/icons";
import { formatMoment } from "@/lib/text/format";

type Attributes<Of extends "td" | "tr"> = ComponentProps<Of> & Record<`data-${string}`, string | undefined>;

/** A class, or what depends on the row. */
type AttributesFor<Row, Of extends "td" | "tr"> = string | ((row: Row) => Attributes<Of>);

export type Column<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  td?: AttributesFor<Row, "td">;
  /** Relative to the table in `cqi`; columns without one share the rest. The page's policy forbids inline styles. */
  width?: `w-${string}`;
  align?: "end";
  /** Hidden below this width. */
  from?: "medium" | "wide" | "full" | "doubled";
  isHeaderHidden?: boolean;
  content?: ReactNode;
  /** Its direction is null where the rows stand by another column. */
  sort?: { href: string; direction: "asc" | "desc" | null };
};

/** By name, in the order that they stand in. */
export type Columns<Row, Name extends string = string> = Readonly<Record<Name, Column<Row>>>;

export type RowKey = string | number;

const ORDERS = { asc: "ascending", desc: "descending" } as const;

/** On narrow windows each row becomes a block of cells, a grid of them or lines of pairs, or one scrolls sideways, also by keys. */
type Narrow = "block" | "grid" | "pairs" | "scroll";

type TableFrameProps = {
  label: string;
  columns: Columns<never>;
  narrow?: Narrow;
  children: ReactNode;
};

/** React sends an attribute that is undefined too, with each cell. */
const cellAttributes = ({ from, align }: Pick<Column<never>, "from" | "align">): Attributes<"td"> => ({
  ...(from && { "data-from": from }),
  ...(align && { "data-align": align }),
});

/** Fixed columns, so that nothing moves when rows change. */
export function TableFrame({ label, columns, narrow, children }: TableFrameProps) {
  const scrolled = narrow === "scroll" ? { role: "group", tabIndex: 0, "aria-label": label } : {};
  return (
    <div {...scrolled} className="@container relative overflow-x-auto -outline-offset-2">
      <table
        className="ledger"
        aria-label={label}
        data-stacked={narrow === "block" || narrow === "grid" || undefined}
        data-paired={narrow === "pairs" || undefined}
      >
        <thead>
          <tr>
            {Object.entries(columns).map(([name, column]) => (
              <th
                key={name}
                scope="col"
                {...(column.width && { className: column.width })}
                {...cellAttributes(column)}
                {...(column.sort?.direction && { "aria-sort": ORDERS[column.sort.direction] })}
              >
                <Header column={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function Header({ column: { header, isHeaderHidden, content, sort } }: { column: Column<never> }) {
  if (content !== undefined) return content;
  if (isHeaderHidden) return <span className="sr-only">{header}</span>;
  if (sort === undefined) return header;
  return (
    <Link
      href={sort.href}
      prefetch={false}
      scroll={false}
      className="inline-flex min-h-6 items-center gap-1 hover:text-ink"
    >
      {header}
      {sort.direction === null ? null : (
        <Icon of="arrow-up" size={11} className={sort.direction === "asc" ? "" : "rotate-180"} />
      )}
    </Link>
  );
}

type TableRowProps<Row> = {
  columns: Columns<Row>;
  row: Row;
  tr?: AttributesFor<Row, "tr"> | undefined;
};

export function TableRow<Row>({ columns, row, tr }: TableRowProps<Row>) {
  const line: Attributes<"tr"> = typeof tr === "function" ? tr(row) : tr ? { className: tr } : {};
  return (
    <tr {...line}>
      {Object.entries(columns).map(([name, column]) => {
        const { cell, td } = column;
        const given: Attributes<"td"> = typeof td === "function" ? td(row) : td ? { className: td } : {};
        const { key = name, ...attributes } = given;
        return (
          <td key={key} {...cellAttributes(column)} {...attributes}>
            {cell(row)}
          </td>
        );
      })}
    </tr>
  );
}

export type DataTableProps<Row> = Omit<TableFrameProps, "columns" | "children"> & {
  columns: Columns<Row>;
  rows: readonly Row[];
  keyOf: (row: Row) => RowKey;
  tr?: AttributesFor<Row, "tr">;
};

export function DataTable<Row>({ columns, rows, keyOf, tr, ...frame }: DataTableProps<Row>) {
  const line = tr ?? (frame.narrow === "grid" ? "stacked-row @max-[38rem]:gap-x-3" : undefined);
  return (
    <TableFrame columns={columns} {...frame}>
      {rows.map((row) => (
        <TableRow key={keyOf(row)} columns={columns} row={row} tr={line} />
      ))}
    </TableFrame>
  );
}

export function RowMoment({ at, hasDay }: { at: string; hasDay: boolean }) {
  const { day, time } = formatMoment(at, useLocale());
  if (!hasDay) return time;
  return (
    <span>
      <span className="text-faint">{`${day} `}</span>
      {time}
    </span>
  );
}

export const BELOW = "cell-below";

export const WIDE_ONLY = "wide-only";
