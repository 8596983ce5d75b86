"use client";

import { Fragment, type ReactNode, useId } from "react";
import { type Column, type Columns, type DataTableProps, type RowKey, TableFrame, TableRow } from "./data-table";

type Details<Row> = {
  open: ReadonlySet<RowKey>;
  toggle: (key: RowKey) => void;
  labelOf: (row: Row) => string;
  contentOf: (row: Row) => ReactNode;
  onIntent?: () => void;
};

type OpenableTableProps<Row> = Omit<DataTableProps<Row>, "tr"> & { details: Details<Row> };

/** Each row opens details below it. */
export function OpenableTable<Row>({ columns, rows, keyOf, details, ...frame }: OpenableTableProps<Row>) {
  const { open, toggle, labelOf, contentOf, onIntent } = details;
  const id = useId();
  const detailsIdOf = (row: Row) => `${id}${keyOf(row)}`;
  const opening = ({ cell, ...column }: Column<Row>): Column<Row> => ({
    ...column,
    cell: (row) => (
      <button
        type="button"
        aria-expanded={open.has(keyOf(row))}
        aria-controls={open.has(keyOf(row)) ? detailsIdOf(row) : undefined}
        onClick={() => toggle(keyOf(row))}
        onFocus={onIntent}
        onPointerEnter={onIntent}
        className="row-link row-opener"
      >
        {cell(row)} <span className="sr-only">{labelOf(row)}</span>
      </button>
    ),
  });
  const openable: Columns<Row> = Object.fromEntries(
    Object.entries(columns).map(([name, column], index) => [name, index === 0 ? opening(column) : column]),
  );
  return (
    <TableFrame columns={columns} {...frame}>
      {rows.map((row) => {
        const isOpen = open.has(keyOf(row));
        return (
          <Fragment key={keyOf(row)}>
            <TableRow columns={openable} row={row} tr={isOpen ? "bg-hover" : undefined} />
            {isOpen ? (
              <tr id={detailsIdOf(row)} className="p-0!">
                {/* The number of columns that always show. */}
                <td colSpan={3} className="overflow-visible! border-0! p-0!">
                  {contentOf(row)}
                </td>
              </tr>
            ) : null}
          </Fragment>
        );
      })}
    </TableFrame>
  );
}
