"use client";

import { useEffect, useState } from "react";
import { deferred } from "@/components/layout/deferred";
import { useSelection } from "@/components/table/use-selection";
import { focusTitle } from "@/components/ui/focus";
import type { ApprovalRow } from "@/lib/approvals/queries";

const RefusingBar = deferred(() => import("./refusing-bar").then((loaded) => loaded.RefusingBar));

const linkTo = (id: string) => document.querySelector<HTMLElement>(`a[data-approval][href="/approvals/${id}"]`);

/** After the first that was refused, else from the top. */
export function nextToDecide(order: readonly string[], refused: readonly string[]): string | null {
  const at = order.findIndex((id) => refused.includes(id));
  const others = [...order.slice(at + 1), ...order.slice(0, Math.max(at, 0))];
  return others.find((id) => !refused.includes(id)) ?? null;
}

type Refusing = { rows: readonly ApprovalRow[]; list: string; onDone: () => void };

/** Several requests refused at once; the focus then goes to the next one to decide. */
export function useRefusing({ rows, list, onDone }: Refusing) {
  const order = rows.flatMap(({ id, isRefusable }) => (isRefusable ? [id] : []));
  const selection = useSelection(order, list);
  const chosen = order.filter(selection.isOn);
  const [said, setSaid] = useState<string | null>(null);
  const [heir, setHeir] = useState<{ id: string | null } | null>(null);

  useEffect(() => {
    if (heir === null) return undefined;
    // Waits until the dialog has returned the focus.
    const timer = setTimeout(() => {
      const link = heir.id === null ? null : linkTo(heir.id);
      if (link) link.focus();
      else focusTitle();
    }, 0);
    return () => clearTimeout(timer);
  }, [heir]);

  const done = (sentence: string) => {
    setSaid(sentence);
    setHeir({ id: nextToDecide(order, chosen) });
    selection.clear();
    onDone();
  };
  return {
    selection: order.length === 0 ? null : selection,
    overlays:
      chosen.length === 0 && said === null ? null : (
        <RefusingBar ids={chosen} said={said} onClear={selection.clear} onDone={done} onDismiss={() => setSaid(null)} />
      ),
  };
}
