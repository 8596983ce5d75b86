"use client";

import { Fragment, type ReactNode, useEffect, useId, useRef, useSyncExternalStore } from "react";
import { deferred } from "@/components/layout/deferred";
import { keyOf as pressedKey } from "@/components/ui/keys";
import { type Column, type Columns, type DataTableProps, type RowKey, TableFrame, TableRow } from "./data-table";

const Peek = deferred(() => import("./peek").then((loaded) => loaded.Peek));

type Details<Row> = {
  open: ReadonlySet<RowKey>;
  toggle: (key: RowKey) => void;
  labelOf: (row: Row) => string;
  contentOf: (row: Row) => ReactNode;
  onIntent?: () => void;
};

type OpenableTableProps<Row> = Omit<DataTableProps<Row>, "tr"> & {
  details: Details<Row>;
  /** The column whose button opens a row, where a row's link leads elsewhere; by default the first one. */
  by?: string;
};

/** Where a list has room for a row's details beside it. */
const IS_WIDE = "(width >= 75rem)";

function onWidth(tell: () => void): () => void {
  const wide = matchMedia(IS_WIDE);
  wide.addEventListener("change", tell);
  return () => wide.removeEventListener("change", tell);
}

const focusOn = (id: string) => document.getElementById(id)?.focus();

/** The key that moved the focus last; none after a press. */
function usePressed(isOn: boolean) {
  const pressed = useRef("");
  useEffect(() => {
    if (!isOn) return undefined;
    const gone = new AbortController();
    const given = { capture: true, signal: gone.signal };
    window.addEventListener("keydown", (event) => (pressed.current = pressedKey(event).toLowerCase()), given);
    window.addEventListener("pointerdown", () => (pressed.current = ""), given);
    return () => gone.abort();
  }, [isOn]);
  return pressed;
}

/** Each row opens its details: beside the list where there is room, else below it. J and K go on from row to row. */
export function OpenableTable<Row>({ columns, rows, keyOf, details, by, ...frame }: OpenableTableProps<Row>) {
  const { open, toggle, labelOf, contentOf, onIntent } = details;
  const id = useId();
  const isWide = useSyncExternalStore(
    onWidth,
    () => matchMedia(IS_WIDE).matches,
    () => false,
  );
  const peeked = isWide ? rows.findLast((row) => open.has(keyOf(row))) : undefined;
  const pressed = usePressed(peeked !== undefined);
  const opener = by ?? Object.keys(columns)[0];
  const detailsIdOf = (row: Row) => `${id}${rows.indexOf(row)}`;
  const openerIdOf = (row: Row) => `${id}${rows.indexOf(row)} opener`;
  const show = (wanted: RowKey) => {
    for (const key of open) if (key !== wanted) toggle(key);
    if (!open.has(wanted)) toggle(wanted);
  };
  const press = (key: RowKey) => {
    if (isWide && !open.has(key)) show(key);
    else toggle(key);
  };
  const goOn = (row: Row) => {
    if (peeked !== undefined && (pressed.current === "j" || pressed.current === "k")) show(keyOf(row));
  };
  const opening = ({ cell, ...column }: Column<Row>): Column<Row> => ({
    ...column,
    cell: (row) => (
      <button
        type="button"
        id={openerIdOf(row)}
        aria-expanded={open.has(keyOf(row))}
        aria-controls={open.has(keyOf(row)) ? detailsIdOf(row) : undefined}
        onClick={() => press(keyOf(row))}
        onFocus={onIntent}
        onPointerEnter={onIntent}
        onKeyDown={(event) => {
          if (row !== peeked || event.key !== "Tab" || event.shiftKey) return;
          event.preventDefault();
          focusOn(detailsIdOf(row));
        }}
        className={by === undefined ? "row-link row-opener" : "row-action row-opener"}
      >
        {cell(row)} <span className="sr-only">{labelOf(row)}</span>
      </button>
    ),
  });
  const openable: Columns<Row> = Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, name === opener ? opening(column) : column]),
  );
  return (
    <div className="flex items-start">
      <div className="min-w-0 flex-1">
        <TableFrame columns={columns} {...frame}>
          {rows.map((row) => {
            const isOpen = open.has(keyOf(row));
            return (
              <Fragment key={keyOf(row)}>
                <TableRow
                  columns={openable}
                  row={row}
                  tr={() => ({ onFocus: () => goOn(row), ...(isOpen && { className: "bg-hover" }) })}
                />
                {isOpen && !isWide ? (
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
      </div>
      {peeked === undefined ? null : (
        <Peek
          key={keyOf(peeked)}
          id={detailsIdOf(peeked)}
          label={labelOf(peeked)}
          onBack={() => focusOn(openerIdOf(peeked))}
          onClose={() => {
            focusOn(openerIdOf(peeked));
            toggle(keyOf(peeked));
          }}
        >
          {contentOf(peeked)}
        </Peek>
      )}
    </div>
  );
}
