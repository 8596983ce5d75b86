import { useState } from "react";

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
