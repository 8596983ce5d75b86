"use client";

import { type RefObject, useEffect, useRef, useState } from "react";
import { useRead } from "@/components/use-read";
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

/**
 * The rows of the queue, of which none moves while somebody is on them: under the pointer or the focus, or with some
 * selected. What changes then changes in its place, and what is new is counted until somebody asks to see it.
 */
export function useSteadyRows(
  queue: KycQueue,
  { table, isSelecting }: { table: RefObject<HTMLElement | null>; isSelecting: boolean },
) {
  const read = useRead();
  const [shown, setShown] = useState<readonly SteadyRow[]>(queue.rows);
  const [since, setSince] = useState(queue.readAt);
  const mayMove = useRef(false);

  const showAll = (latest: KycQueue) => {
    setShown(latest.rows);
    setSince(latest.readAt);
  };

  useEffect(() => {
    const isBusy = isSelecting || table.current?.matches(":hover, :focus-within") === true;
    if (!isBusy || mayMove.current) showAll(queue);
    else setShown((before) => (before.length === 0 ? queue.rows : inPlace(before, queue.rows)));
    mayMove.current = false;
    // What is held is looked at when an answer comes, not when the holding ends: nothing jumps after the pointer has left.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [queue.rows]);

  const gone = shown
    .filter(({ isGone }) => isGone)
    .map(idOf)
    .join(",");
  useEffect(() => {
    if (gone === "") return undefined;
    const aborting = new AbortController();
    const address = `/api/kyc?status=all&ids=${encodeURIComponent(gone)}`;
    const readThem = async () => {
      const [answer] = await Promise.allSettled([read<KycQueue>(address, aborting.signal)]);
      if (answer.status === "rejected") return;
      const now = new Map(answer.value.rows.map((row) => [row.kycUUID, row]));
      setShown((before) =>
        before.map((row) => (row.isGone === true ? { ...(now.get(row.kycUUID) ?? row), isGone: true } : row)),
      );
    };
    void readThem();
    return () => aborting.abort();
  }, [gone, queue.rows, read]);

  const places = new Set(shown.map(idOf));
  const waiting = queue.rows.filter(({ kycUUID }) => !places.has(kycUUID));
  return {
    rows: shown,
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
