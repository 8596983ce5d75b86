"use client";

import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";

export type Steady<Row> = Row & {
  /** No longer matches the list, but stays until it is shown again. */
  isGone?: boolean;
};

type Latest<Row, Mark> = {
  rows: readonly Row[];
  mark: Mark;
  list: string;
  idOf: (row: Row) => string;
};

type Hold = {
  /** No row moves while pointer or focus is within. */
  table: RefObject<HTMLElement | null>;
  isHeld?: boolean;
  /** The rows came from an earlier visit and are replaced once, even in use. */
  isRenewed?: boolean;
};

function inPlace<Row extends object>(
  shown: readonly Steady<Row>[],
  { rows, idOf }: Latest<Row, unknown>,
): Steady<Row>[] {
  const found = new Map(rows.map((row) => [idOf(row), row]));
  return shown.map((row) => found.get(idOf(row)) ?? { ...row, isGone: true });
}

/** Changes appear in place; `waiting` are new rows, hidden until requested. */
export function useSteadyRows<Row extends object, Mark>(
  latest: Latest<Row, Mark>,
  { table, isHeld = false, isRenewed = false }: Hold,
) {
  const { rows, mark, list, idOf } = latest;
  const [shown, setShown] = useState<readonly Steady<Row>[]>(rows);
  const [since, setSince] = useState(mark);
  const mayMove = useRef(false);
  const taken = useRef(mark);

  const showNow = () => {
    setShown(rows);
    setSince(mark);
  };

  // Not remounted, so that the keyboard focus stays.
  const [of, setOf] = useState(list);
  if (of !== list) {
    setOf(list);
    showNow();
  }

  const [wasRenewed, setWasRenewed] = useState(isRenewed);
  if (wasRenewed !== isRenewed) {
    setWasRenewed(isRenewed);
    if (isRenewed) showNow();
  }

  // Decided when the answer comes, not when the pointer leaves, so that nothing jumps.
  const take = useEffectEvent((next: Mark) => {
    if (next === taken.current) return;
    taken.current = next;
    const isBusy = isHeld || table.current?.matches(":hover, :focus-within") === true;
    if (mayMove.current || !isBusy) showNow();
    else setShown((before) => (before.length === 0 ? rows : inPlace(before, latest)));
    mayMove.current = false;
  });
  useEffect(() => take(mark), [mark]);

  const places = new Set(shown.map(idOf));
  return {
    shown,
    since,
    waiting: rows.filter((row) => !places.has(idOf(row))),
    showNow,
    letMove: () => {
      mayMove.current = true;
    },
  };
}

type OpenRows = { open: ReadonlySet<string | number>; toggle: (row: string | number) => void };

export function useOpenRows(): OpenRows {
  const [open, setOpen] = useState<OpenRows["open"]>(new Set());
  // Two rows opened before the next render both stay open.
  const toggle: OpenRows["toggle"] = (row) =>
    setOpen((now) => {
      const next = new Set(now);
      if (!next.delete(row)) next.add(row);
      return next;
    });
  return { open, toggle };
}
