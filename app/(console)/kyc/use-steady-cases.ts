"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useRead } from "@/components/session/use-read";
import { type Steady, useSteadyRows } from "@/components/table/use-steady-rows";
import { focusTitle, isFocusLost } from "@/components/ui/focus";
import type { KycQueue, KycRow } from "@/lib/kyc/queries";
import { hrefWith } from "@/lib/text/page";

export type SteadyRow = Steady<KycRow>;

export const idOf = ({ kycUUID }: KycRow) => kycUUID;

function useGone(shown: readonly SteadyRow[], readAt: string): ReadonlyMap<string, KycRow> {
  const read = useRead();
  const ids = shown.filter(({ isGone }) => isGone).map(idOf);
  const { data } = useQuery({
    queryKey: ["kyc-gone", ids, readAt],
    queryFn: ({ signal }) => read<KycQueue>(hrefWith("/api/kyc", { status: "all", ids: ids.join(",") }), signal),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
  return new Map(data?.rows.map((row) => [row.kycUUID, row]));
}

type QueueState = {
  table: RefObject<HTMLElement | null>;
  isSelecting: boolean;
  isRenewed: boolean;
  list: string;
};

/** No row moves while somebody points at one or has selected some. */
export function useSteadyCases({ rows, readAt }: KycQueue, { table, isSelecting, isRenewed, list }: QueueState) {
  const steady = useSteadyRows({ rows, mark: readAt, list, idOf }, { table, isHeld: isSelecting, isRenewed });
  const gone = useGone(steady.shown, readAt);
  return {
    rows: steady.shown.map((row) => (row.isGone === true ? { ...row, ...gone.get(row.kycUUID) } : row)),
    arrivals: steady.waiting.filter(({ firstSeenAt }) => firstSeenAt > steady.since).length,
    hasMoved: steady.waiting.length > 0,
    showNow: steady.showNow,
    letMove: steady.letMove,
  };
}

export const decideButtonId = (kycUUID: string) => `decide-${kycUUID}`;

/** If a decided case leaves with the focused button, focus goes to a neighbour or the title. */
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
    if (!isFocusLost()) return;
    if (heir) heir.focus();
    else focusTitle();
  }, [gone, order, rows]);

  return {
    /** Called on opening, as a colleague's screen may hear of the decision first. */
    rememberOrder: () => {
      passed.current = null;
      setGone(null);
      setOrder(rows.map(({ kycUUID }) => kycUUID));
    },
    passFocusOn: (decided: KycRow) => setGone(decided.kycUUID),
  };
}
