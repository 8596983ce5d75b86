"use client";

import { useRef, useState } from "react";
import { useAction } from "@/components/use-action";
import { assignCases, tagCases } from "@/lib/kyc/actions";
import type { BulkDone, SelectionGiven } from "@/lib/kyc/queries";
import type { Failure } from "@/lib/result";

export type BulkTotals = { matched: number; changed: number; isStopped: boolean };

type Ended = (totals: BulkTotals) => void;
type Step = { bulkId: string; slice: BulkDone["rest"] };

/** A bulk change, one part of the set after the other until it is done or somebody stops it; what is done stays done. */
export function useBulk(selection: SelectionGiven) {
  const assigning = useAction(assignCases);
  const tagging = useAction(tagCases);
  const [done, setDone] = useState<{ matched: number; changed: number } | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isStopped = useRef(false);

  const goOn = (
    step: Step,
    send: (step: Step, on: (part: BulkDone) => void, no: (failed: Failure) => void) => void,
    ended: Ended,
  ) => {
    let [matched, changed] = [0, 0];
    const next = (one: Step) =>
      send(
        one,
        (part) => {
          matched += part.matched;
          changed += part.changed;
          const soFar = { matched, changed };
          // Outside of the transition that runs the action: what one sets is seen only when it is over.
          queueMicrotask(() => setDone(soFar));
          if (part.rest === null || isStopped.current) ended({ matched, changed, isStopped: part.rest !== null });
          else next({ ...one, slice: part.rest });
        },
        setFailure,
      );
    isStopped.current = false;
    setFailure(null);
    next(step);
  };
  return {
    pending: assigning.pending || tagging.pending,
    done,
    failure,
    stop: () => {
      isStopped.current = true;
    },
    assign: (bulkId: string, to: string | null, ended: Ended) =>
      goOn({ bulkId, slice: null }, (step, on, no) => assigning.run({ ...step, selection, to }, on, no), ended),
    tag: (bulkId: string, given: { tag: string; isRemoved: boolean }, ended: Ended) =>
      goOn({ bulkId, slice: null }, (step, on, no) => tagging.run({ ...step, selection, ...given }, on, no), ended),
  };
}
