"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { RefObject } from "react";
import { useRead } from "@/components/use-read";
import { type Steady, useSteadyRows } from "@/components/use-steady-rows";
import { hrefWith } from "@/lib/href";
import type { KycQueue, KycRow } from "@/lib/kyc/queries";

export type SteadyRow = Steady<KycRow>;

const idOf = ({ kycUUID }: KycRow) => kycUUID;

/** How the rows are by now that the list's own answers no longer hold. */
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

type Held = {
  table: RefObject<HTMLElement | null>;
  isSelecting: boolean;
  /** Which list: its address. */
  list: string;
};

/** The rows of the queue, of which none moves while somebody is on them or has some selected. */
export function useSteadyCases({ rows, readAt }: KycQueue, { table, isSelecting, list }: Held) {
  const steady = useSteadyRows({ rows, mark: readAt, list, idOf }, { table, isHeld: isSelecting });
  const gone = useGone(steady.shown, readAt);
  return {
    rows: steady.shown.map((row) => (row.isGone === true ? { ...row, ...gone.get(row.kycUUID) } : row)),
    /** Cases that came since the rows were last shown, and whether anything else would move. */
    arrivals: steady.waiting.filter(({ firstSeenAt }) => firstSeenAt > steady.since).length,
    hasMoved: steady.waiting.length > 0,
    showNow: steady.showNow,
    letMove: steady.letMove,
  };
}
