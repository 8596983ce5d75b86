"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { useRead } from "@/components/use-read";
import { hrefWith } from "@/lib/href";
import type { KycQueue, KycRow } from "@/lib/kyc/queries";

export type SteadyRow = KycRow & {
  /** It no longer fits the filter: it stays where it was until the list is shown anew. */
  isGone?: boolean;
};

const idOf = ({ kycUUID }: KycRow) => kycUUID;

/** The rows in the places they have, each as it is now. */
function inPlace(shown: readonly SteadyRow[], now: readonly KycRow[]): SteadyRow[] {
  const found = new Map(now.map((row) => [row.kycUUID, row]));
  return shown.map((row) => found.get(row.kycUUID) ?? { ...row, isGone: true });
}

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

/**
 * The rows of the queue, of which none moves while somebody is on them: under the pointer or the focus, or with some
 * selected. What changes then changes in its place, and what is new is counted until somebody asks to see it.
 */
export function useSteadyRows(queue: KycQueue, { table, isSelecting, list }: Held) {
  const [shown, setShown] = useState<readonly SteadyRow[]>(queue.rows);
  const [since, setSince] = useState(queue.readAt);
  const mayMove = useRef(false);
  const taken = useRef(queue.readAt);

  const showAll = (latest: KycQueue) => {
    setShown(latest.rows);
    setSince(latest.readAt);
  };

  // Another list is shown at once, and nothing around it is made anew: whoever chose it by keyboard is where they were.
  const [of, setOf] = useState(list);
  if (of !== list) {
    setOf(list);
    showAll(queue);
  }

  // An answer that comes decides, not the moment in which the pointer leaves: then nothing jumps.
  const take = useEffectEvent((latest: KycQueue) => {
    if (latest.readAt === taken.current) return;
    taken.current = latest.readAt;
    const isBusy = isSelecting || table.current?.matches(":hover, :focus-within") === true;
    if (mayMove.current || !isBusy) showAll(latest);
    else setShown((before) => (before.length === 0 ? latest.rows : inPlace(before, latest.rows)));
    mayMove.current = false;
  });
  useEffect(() => take(queue), [queue]);

  const gone = useGone(shown, queue.readAt);

  const places = new Set(shown.map(idOf));
  const waiting = queue.rows.filter(({ kycUUID }) => !places.has(kycUUID));
  return {
    rows: shown.map((row) => (row.isGone === true ? { ...row, ...gone.get(row.kycUUID) } : row)),
    /** Cases that came since the rows were last shown, and whether anything else would move. */
    arrivals: waiting.filter(({ firstSeenAt }) => firstSeenAt > since).length,
    hasMoved: waiting.length > 0,
    showNow: () => showAll(queue),
    /** The next answer is shown as it comes: the person asked for it. */
    letMove: () => {
      mayMove.current = true;
    },
  };
}
