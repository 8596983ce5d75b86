"use client";

import { useRef, useState } from "react";

type Selected = { ids: readonly string[]; isAll: boolean };

const NOTHING: Selected = { ids: [], isAll: false };

export type Selection = ReturnType<typeof useSelection>;

/** A range continues from the row chosen before. */
export function useSelection(order: readonly string[], list: string) {
  const [selected, setSelected] = useState(NOTHING);
  const [of, setOf] = useState(list);
  if (of !== list) {
    setOf(list);
    setSelected(NOTHING);
  }
  const last = useRef<string | null>(null);
  const isOn = (id: string) => selected.isAll || selected.ids.includes(id);

  const toggle = (id: string, isRange: boolean) => {
    const from = order.indexOf(last.current ?? "");
    const to = order.indexOf(id);
    const reached = isRange && from >= 0 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
    const before = selected.isAll ? order : selected.ids;
    const rest = before.filter((one) => !reached.includes(one));
    setSelected({ ids: isOn(id) ? rest : [...rest, ...reached], isAll: false });
    last.current = id;
  };
  const isWholePage = order.length > 0 && order.every(isOn);
  return {
    ...selected,
    isOn,
    toggle,
    isWholePage,
    togglePage: () => setSelected(isWholePage ? NOTHING : { ids: order, isAll: false }),
    selectAll: () => setSelected({ ids: order, isAll: true }),
    clear: () => setSelected(NOTHING),
  };
}
