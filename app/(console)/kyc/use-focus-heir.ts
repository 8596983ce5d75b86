"use client";

import { useEffect, useRef, useState } from "react";
import type { KycRow } from "@/lib/kyc/queries";
import { decideButtonId } from "./queue-row";

const isLost = (focused: Element | null) => focused === null || focused.matches("body, main");

/**
 * When the case just decided leaves the queue it takes the focused button along: the focus then goes to the next row's,
 * else to the one before, else to the screen's title. Nobody who has gone on elsewhere is called back.
 */
export function useFocusHeir(rows: readonly KycRow[]) {
  const [order, setOrder] = useState<readonly string[]>([]);
  const [gone, setGone] = useState<string | null>(null);
  const passed = useRef<string | null>(null);

  useEffect(() => {
    if (gone === null || gone === passed.current || rows.some(({ kycUUID }) => kycUUID === gone)) return;
    passed.current = gone;
    const at = order.indexOf(gone);
    const heirs = [...order.slice(at + 1), ...order.slice(0, Math.max(at, 0)).toReversed()];
    const heir = heirs.map((kycUUID) => document.getElementById(decideButtonId(kycUUID))).find(Boolean);
    if (isLost(document.activeElement)) (heir ?? document.querySelector<HTMLElement>("main h1"))?.focus();
  }, [gone, order, rows]);

  return {
    /** Called when the dialog opens: a colleague's screen may hear of the decision sooner than the one who made it. */
    rememberOrder: () => {
      passed.current = null;
      setGone(null);
      setOrder(rows.map(({ kycUUID }) => kycUUID));
    },
    passFocusOn: (decided: KycRow) => setGone(decided.kycUUID),
  };
}
