import { useLocale } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { formatMoment } from "@/lib/text/format";

export type Column = {
  header: string;
  /** A class, relative to the table in `cqi`; the columns without one share what is left. The page takes no inline style. */
  width?: `w-${string}`;
  align?: "end";
  /** Shown only where the table has that much room; its cells carry the same `data-from`. */
  from?: "medium" | "wide" | "full";
  isHeaderHidden?: boolean;
  /** In the header's place, which it names. */
  content?: ReactNode;
  /** Where the header orders the table, and how the table is ordered by it now; `icon` says so to the eye. */
  sort?: { href: string; direction: "asc" | "desc" | null; icon: ReactNode };
};

const ORDERS = { asc: "ascending", desc: "descending" } as const;

type DataTableProps = {
  label: string;
  columns: Column[];
  /** Where there is no room for columns, each row becomes a block of its cells, one under the other. */
  isStacked?: boolean;
  /** Where there is no room for columns, each row takes two lines: its cells carry `data-pair`, the place they have there. */
  isPaired?: boolean;
  /** Its columns keep a width that narrow windows scroll past: whoever has no pointer does so by the arrow keys. */
  isScrolled?: boolean;
  children: ReactNode;
};

/** A dense table of fixed columns, so that nothing moves when its rows change. */
export function DataTable({ label, columns, isScrolled = false, children, ...given }: DataTableProps) {
  const { isStacked = false, isPaired = false } = given;
  const scrolled = isScrolled ? { role: "group", tabIndex: 0, "aria-label": label } : {};
  return (
    <div {...scrolled} className="@container relative overflow-x-auto -outline-offset-2">
      <table
        className="ledger"
        aria-label={label}
        data-stacked={isStacked || undefined}
        data-paired={isPaired || undefined}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.header}
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

function Header({ column: { header, isHeaderHidden, content, sort } }: { column: Column }) {
  if (content !== undefined) return content;
  if (isHeaderHidden) return <span className="sr-only">{header}</span>;
  if (sort === undefined) return header;
  return (
    <Link href={sort.href} prefetch={false} scroll={false} className="inline-flex items-center gap-1 hover:text-ink">
      {header}
      {sort.icon}
    </Link>
  );
}

/** When a row came about; the day, where it is not plain, in the shade of the time. */
export function RowMoment({ at, hasDay }: { at: string; hasDay: boolean }) {
  const { day, time } = formatMoment(at, useLocale());
  return (
    <time dateTime={at}>
      {hasDay ? <span className="text-faint">{day} </span> : null}
      {time}
    </time>
  );
}

/** A cell that goes below the first line where a table of rows that open is stacked. */
export const BELOW = "@max-[38rem]:order-1 @max-[38rem]:col-span-2";

/** A cell that is left out there: what the row opens says it too. */
export const WIDE_ONLY = "@max-[38rem]:hidden!";
