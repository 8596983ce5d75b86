import { useLocale } from "next-intl";
import Link from "next/link";
import type { ComponentProps, ReactNode } from "react";
import { Icon } from "@/components/ui/icons";
import { cn } from "@/components/ui/cn";
import { formatMoment, formatTime } from "@/lib/text/format";

type Attributes<Of extends "td" | "tr"> = ComponentProps<Of> & Record<`data-${string}`, string | undefined>;

/** A class, or one per row. */
type AttributesFor<Row, Of extends "td" | "tr"> = string | ((row: Row) => Attributes<Of>);

/** By content, relative to the table; `text` columns share the rest. */
const WIDTHS = {
  short: "w-[clamp(6rem,8.5cqi,6.5rem)]",
  date: "w-[11rem]",
  id: "w-[clamp(9.5rem,14cqi,11rem)]",
  address: "w-[12rem]",
  coins: "w-[clamp(11.5rem,17cqi,13rem)]",
  title: "w-[13rem]",
  amount: "w-[clamp(9rem,17cqi,13rem)]",
  status: "w-[clamp(9.5rem,13.5cqi,11rem)]",
  name: "w-[clamp(8.5rem,13cqi,13rem)]",
  text: undefined,
  action: "w-[clamp(6.5rem,9cqi,8rem)]",
} as const;

export type Column<Row> = {
  header: string;
  width: keyof typeof WIDTHS;
  cell: (row: Row) => ReactNode;
  td?: AttributesFor<Row, "td">;
  th?: string;
  align?: "end";
  /** Hidden in a narrower table. */
  from?: "medium" | "wide" | "widest";
  isHeaderHidden?: boolean;
  content?: ReactNode;
  /** The direction is null when another column sorts. */
  sort?: { href: string; direction: "asc" | "desc" | null };
};

/** By name, in display order. */
export type Columns<Row, Name extends string = string> = Readonly<Record<Name, Column<Row>>>;

export type RowKey = string | number;

const ORDERS = { asc: "ascending", desc: "descending" } as const;

/** In a narrow table a row becomes a block, a grid or lines of pairs, or the table scrolls, also by keys. */
type Narrow = "block" | "grid" | "pairs" | "scroll";

type TableFrameProps = {
  label: string;
  columns: Columns<never>;
  narrow?: Narrow;
  children: ReactNode;
};

/** React would send an undefined attribute with every cell. */
const cellAttributes = ({ from, align }: Pick<Column<never>, "from" | "align">): Attributes<"td"> => ({
  ...(from && { "data-from": from }),
  ...(align && { "data-align": align }),
});

/** Fixed columns, so that nothing moves when rows change. */
export function TableFrame({ label, columns, narrow, children }: TableFrameProps) {
  const scrolled = narrow === "scroll" ? { role: "group", tabIndex: 0, "aria-label": label } : {};
  return (
    <div {...scrolled} className="@container relative overflow-x-auto -outline-offset-2">
      <table className="ledger" aria-label={label} data-narrow={narrow}>
        <thead>
          <tr>
            {Object.entries(columns).map(([name, column]) => (
              <th
                key={name}
                scope="col"
                className={cn(WIDTHS[column.width], column.th) || undefined}
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
  return (
    <TableFrame columns={columns} {...frame}>
      {rows.map((row) => (
        <TableRow key={keyOf(row)} columns={columns} row={row} tr={tr} />
      ))}
    </TableFrame>
  );
}

export function RowMoment({ at, hasDay }: { at: string; hasDay: boolean }) {
  const locale = useLocale();
  const { day, time } = formatMoment(at, locale);
  if (!hasDay) return time;
  return (
    <span>
      <span className="text-faint">{`${day} `}</span>
      {formatTime(at, locale)}
    </span>
  );
}

export const BELOW = "cell-below";
