import type { ReactNode } from "react";

export type Column = {
  header: string;
  /** A CSS width; the columns without one share what is left. */
  width?: string;
  align?: "end";
  /** Left out on narrow windows; its cells carry `data-wide`. */
  isWide?: boolean;
  isHeaderHidden?: boolean;
};

/** A dense table of fixed columns, so that nothing moves when its rows change. It scrolls inside its own box. */
export function DataTable({ label, columns, children }: { label: string; columns: Column[]; children: ReactNode }) {
  return (
    <div className="relative overflow-x-auto">
      <table className="ledger" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.header}
                scope="col"
                style={column.width ? { width: column.width } : undefined}
                data-align={column.align}
                data-wide={column.isWide}
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
