"use client";

import { useRef, useState } from "react";

type Row = { id: string; cells: readonly string[] };

const HEADERS = ["Status", "Document", "Type", "Assignee", "Due", "Age"];

/** The least that is a list: a plain table, sorted in the browser, and a dialog of the browser's own. */
export function Floor({ rows }: { rows: readonly Row[] }) {
  const [isTurned, setTurned] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <main>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        Open
      </button>
      <dialog ref={dialog}>A dialog</dialog>
      <table>
        <thead>
          <tr>
            {HEADERS.map((header) => (
              <th key={header} aria-sort={isTurned ? "descending" : "ascending"}>
                <button type="button" onClick={() => setTurned(!isTurned)}>
                  {header}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(isTurned ? rows.toReversed() : rows).map(({ id, cells }) => (
            <tr key={id}>
              {cells.map((cell) => (
                <td key={cell}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </main>
  );
}
