import type { ReactNode } from "react";

export type Column = {
  header: string;
  /** A CSS width, relative to the table in `cqi`; the columns without one share what is left. */
  width?: string;
  align?: "end";
  /** Shown only where the table has that much room; its cells carry the same `data-from`. */
  from?: "medium" | "wide";
  isHeaderHidden?: boolean;
};

type DataTableProps = {
  label: string;
  columns: Column[];
  /** Below this width the table scrolls inside its box instead of leaving columns out. */
  minWidth?: string;
  children: ReactNode;
};

/** A dense table of fixed columns, so that nothing moves when its rows change. */
export function DataTable({ label, columns, minWidth, children }: DataTableProps) {
  const box = minWidth ? { role: "group", tabIndex: 0, "aria-label": label } : {};
  return (
    <div {...box} className="@container relative overflow-x-auto outline-offset-[-2px]">
      <table className="ledger" aria-label={label} style={minWidth ? { minWidth } : undefined}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.header}
                scope="col"
                style={column.width ? { width: column.width } : undefined}
                data-align={column.align}
                data-from={column.from}
              >
                {column.isHeaderHidden ? <span className="sr-only">{column.header}</span> : column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
