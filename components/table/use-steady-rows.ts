"use client";

import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";

export type Steady<Row> = Row & {
  /** It no longer fits the list: it stays where it was until the list is shown anew. */
  isGone?: boolean;
};

type Latest<Row, Mark> = {
  rows: readonly Row[];
  /** Differs with each answer. */
  mark: Mark;
  /** Which list: its address. */
  list: string;
  idOf: (row: Row) => string;
};

type Hold = {
  /** What the rows stand in: while the pointer or the focus is within, none moves. */
  table: RefObject<HTMLElement | null>;
  /** Something else holds them, such as a selection. */
  isHeld?: boolean;
};

/** The rows in the places they have, each as it is now. */
function inPlace<Row extends object>(
  shown: readonly Steady<Row>[],
  { rows, idOf }: Latest<Row, unknown>,
): Steady<Row>[] {
  const found = new Map(rows.map((row) => [idOf(row), row]));
  return shown.map((row) => found.get(idOf(row)) ?? { ...row, isGone: true });
}

/**
 * The rows of a list that keeps itself fresh, of which none moves while somebody is on them. What changes then changes in its
 * place; `waiting` are those that came since, until somebody asks to see them.
 */
export function useSteadyRows<Row extends object, Mark>(latest: Latest<Row, Mark>, { table, isHeld = false }: Hold) {
  const { rows, mark, list, idOf } = latest;
  const [shown, setShown] = useState<readonly Steady<Row>[]>(rows);
  const [since, setSince] = useState(mark);
  const mayMove = useRef(false);
  const taken = useRef(mark);

  const showNow = () => {
    setShown(rows);
    setSince(mark);
  };

  // Another list is shown at once, and nothing around it is made anew: whoever chose it by keyboard is where they were.
  const [of, setOf] = useState(list);
  if (of !== list) {
    setOf(list);
    showNow();
  }

  // An answer that comes decides, not the moment in which the pointer leaves: then nothing jumps.
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
    /** The answer whose places the rows have. */
    since,
    waiting: rows.filter((row) => !places.has(idOf(row))),
    showNow,
    /** The next answer is shown as it comes: the person asked for it. */
    letMove: () => {
      mayMove.current = true;
    },
  };
}

/** Which rows of a table show their details. */
export function useOpenRows(): { open: ReadonlySet<number>; toggle: (row: number) => void } {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  // Of two rows that are opened before the next drawing, both stay open.
  const toggle = (row: number) =>
    setOpen((now) => {
      const next = new Set(now);
      if (!next.delete(row)) next.add(row);
      return next;
    });
  return { open, toggle };
}
