import { useLocale } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { formatMoment } from "@/lib/text/format";

export type Column = {
  header: string;
  /** Relative to the table in `cqi`; columns without one share the rest. The page's policy forbids inline styles. */
  width?: `w-${string}`;
  align?: "end";
  /** Hidden below this width; its cells carry the same `data-from`. */
  from?: "medium" | "wide" | "full" | "doubled";
  isHeaderHidden?: boolean;
  content?: ReactNode;
  sort?: { href: string; direction: "asc" | "desc" | null; icon: ReactNode };
};

const ORDERS = { asc: "ascending", desc: "descending" } as const;

type DataTableProps = {
  label: string;
  columns: Column[];
  /** Narrow: each row becomes a block of cells. */
  isStacked?: boolean;
  /** Narrow: each row takes two lines; cells carry `data-pair`. */
  isPaired?: boolean;
  /** Narrow: scrolls sideways, also by the arrow keys. */
  isScrolled?: boolean;
  children: ReactNode;
};

/** Fixed columns, so that nothing moves when rows change. */
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
    <Link
      href={sort.href}
      prefetch={false}
      scroll={false}
      className="inline-flex min-h-6 items-center gap-1 hover:text-ink"
    >
      {header}
      {sort.icon}
    </Link>
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
