"use client";

import { useEffect, useRef } from "react";
import type { KycRow } from "@/lib/kyc/queries";
import { decideButtonId } from "./queue-row";

const isLost = (focused: Element | null) => focused === null || focused.matches("body, main");

/**
 * When the case just decided leaves the queue it takes the focused button along: the focus then goes to the next row's,
 * else to the one before, else to the screen's title. Nobody who has gone on elsewhere is called back.
 */
export function useFocusHeir(rows: readonly KycRow[]): (decided: KycRow) => void {
  const left = useRef<{ decided: string; heirs: string[] } | null>(null);

  useEffect(() => {
    const gone = left.current;
    if (gone === null || rows.some(({ kycUUID }) => kycUUID === gone.decided)) return;
    left.current = null;
    const heir = gone.heirs.map((kycUUID) => document.getElementById(decideButtonId(kycUUID))).find(Boolean);
    if (isLost(document.activeElement)) (heir ?? document.querySelector<HTMLElement>("main h1"))?.focus();
  }, [rows]);

  return ({ kycUUID: decided }) => {
    const at = rows.findIndex(({ kycUUID }) => kycUUID === decided);
    const ids = rows.map(({ kycUUID }) => kycUUID);
    left.current = { decided, heirs: [...ids.slice(at + 1), ...ids.slice(0, Math.max(at, 0)).toReversed()] };
  };
}
