"use client";

import type { ReactNode } from "react";
import type { KycRow } from "@/lib/kyc/queries";
import { NextButton } from "./next-button";
import { useQueueKeys } from "./use-queue-keys";
import { type Triage, useTriage } from "./use-triage";

type Options = {
  rows: readonly KycRow[];
  /** Why the person may not work cases; null when they may. */
  denial: string | null;
  /** Whether shortcuts of one key are on. */
  shortcuts: boolean;
  reasonLimit: number;
  onDecided: (subject: KycRow) => void;
  /** Somebody has another case, or none, by now. */
  onChanged: () => void;
};

type QueueTriage = Pick<Triage, "begin" | "say" | "front"> & {
  /** The hint at the keys, and the button of the next case. */
  bar: ReactNode;
};

/** All that the list needs for deciding, sharing out and going on, by pointer and by keyboard. */
export function useQueueTriage({ rows, denial, ...options }: Options): QueueTriage {
  const triage = useTriage(options);
  useQueueKeys({ rows, isOn: options.shortcuts, denial, triage });
  const { begin, say, front, hint, next } = triage;
  return {
    begin,
    say,
    front,
    bar: (
      <>
        {hint}
        <NextButton next={next} denial={denial} />
      </>
    ),
  };
}
