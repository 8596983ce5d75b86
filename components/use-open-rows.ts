import { useState } from "react";

/** Which rows of a table show their details. */
export function useOpenRows(): { open: ReadonlySet<number>; toggle: (row: number) => void } {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const toggle = (row: number) => {
    const next = new Set(open);
    if (!next.delete(row)) next.add(row);
    setOpen(next);
  };
  return { open, toggle };
}
