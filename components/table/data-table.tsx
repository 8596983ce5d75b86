import { useLocale } from "next-intl";
import Link from "next/link";
import { type ComponentProps, type ReactNode, useId } from "react";
import { cn } from "@/components/ui/cn";
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

type RowKey = string | number;

type Details<Row> = {
  open: ReadonlySet<RowKey>;
  toggle: (key: RowKey) => void;
  labelOf: (row: Row) => string;
  contentOf: (row: Row) => ReactNode;
  onIntent?: () => void;
};

const ORDERS = { asc: "ascending", desc: "descending" } as const;

/** On narrow windows each row becomes a block of cells, a grid of them or lines of pairs, or one scrolls sideways, also by keys. */
type Narrow = "block" | "grid" | "pairs" | "scroll";

type TableFrameProps = {
  label: string;
  columns: Columns<never>;
  narrow?: Narrow | undefined;
  children: ReactNode;
};

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
                className={column.width}
                data-align={column.align}
                data-from={column.from}
                aria-sort={column.sort?.direction ? ORDERS[column.sort.direction] : undefined}
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
  opener?: (head: ReactNode) => ReactNode;
};

export function TableRow<Row>({ columns, row, tr, opener }: TableRowProps<Row>) {
  const line: Attributes<"tr"> = typeof tr === "function" ? tr(row) : { className: tr };
  return (
    <tr {...line}>
      {Object.entries(columns).map(([name, { cell, td, from, align }], index) => {
        const given: Attributes<"td"> = typeof td === "function" ? td(row) : { className: td };
        const { key = name, ...attributes } = given;
        return (
          <td key={key} data-from={from} data-align={align} {...attributes}>
            {opener && index === 0 ? opener(cell(row)) : cell(row)}
          </td>
        );
      })}
    </tr>
  );
}

type OpenableRowProps<Row> = { columns: Columns<Row>; row: Row; rowKey: RowKey; details: Details<Row> };

function OpenableRow<Row>({ columns, row, rowKey, details }: OpenableRowProps<Row>) {
  const { open, toggle, labelOf, contentOf, onIntent } = details;
  const detailsId = useId();
  const isOpen = open.has(rowKey);
  return (
    <>
      <TableRow
        columns={columns}
        row={row}
        tr={cn("stacked-row", isOpen && "bg-hover")}
        opener={(head) => (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailsId : undefined}
            onClick={() => toggle(rowKey)}
            onFocus={onIntent}
            onPointerEnter={onIntent}
            className="row-link row-opener"
          >
            {head} <span className="sr-only">{labelOf(row)}</span>
          </button>
        )}
      />
      {isOpen ? (
        <tr id={detailsId} className="p-0!">
          {/* As many columns as always show. */}
          <td colSpan={3} className="overflow-visible! border-0! p-0!">
            {contentOf(row)}
          </td>
        </tr>
      ) : null}
    </>
  );
}

type DataTableProps<Row> = Omit<TableFrameProps, "columns" | "children"> & {
  columns: Columns<Row>;
  rows: readonly Row[];
  keyOf: (row: Row) => RowKey;
  tr?: AttributesFor<Row, "tr">;
  /** Each row opens to more, below it. */
  details?: Details<Row>;
};

export function DataTable<Row>({ columns, rows, keyOf, details, ...frame }: DataTableProps<Row>) {
  const tr = frame.tr ?? (frame.narrow === "grid" ? "stacked-row @max-[38rem]:gap-x-3" : undefined);
  return (
    <TableFrame label={frame.label} columns={columns} narrow={frame.narrow}>
      {rows.map((row) => {
        const key = keyOf(row);
        if (details === undefined) return <TableRow key={key} columns={columns} row={row} tr={tr} />;
        return <OpenableRow key={key} columns={columns} row={row} rowKey={key} details={details} />;
      })}
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
