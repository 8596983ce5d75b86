"use client";

import { useRef, useState } from "react";

const HEADERS = ["Status", "Document", "Type", "Assignee", "Due", "Age"];

const row = (cells: readonly string[]) => (
  <tr key={cells[1]}>
    {cells.map((cell) => (
      <td key={cell}>{cell}</td>
    ))}
  </tr>
);

/** The least that is a list: a plain table, sorted in the browser, and a dialog of the browser's own. */
export function Floor({ rows }: { rows: readonly (readonly string[])[] }) {
  const [isTurned, setTurned] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const headers = HEADERS.map((header) => (
    <th key={header} aria-sort={isTurned ? "descending" : "ascending"}>
      <button type="button" onClick={() => setTurned(!isTurned)}>
        {header}
      </button>
    </th>
  ));
  return (
    <main>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        Open
      </button>
      <dialog ref={dialog}>A dialog</dialog>
      <table>
        <thead>
          <tr>{headers}</tr>
        </thead>
        <tbody>{(isTurned ? rows.toReversed() : rows).map(row)}</tbody>
      </table>
    </main>
  );
}
