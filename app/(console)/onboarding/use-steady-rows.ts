"use client";

import { type FocusEvent, useRef, useState } from "react";
import type { OnboardingQueue, OnboardingRow } from "@/lib/onboarding/queries";

export type SteadyRow = OnboardingRow & {
  /** It is in the list no more: it stays where it was until the list is shown anew. */
  isGone?: boolean;
};

/** The rows in the places they have, each as it is now. */
function inPlace(held: readonly OnboardingRow[], now: readonly OnboardingRow[]): SteadyRow[] {
  const found = new Map(now.map((row) => [row.id, row]));
  return held.map((row) => found.get(row.id) ?? { ...row, isGone: true });
}

/**
 * The rows of the queue, of which none moves while somebody is on them with the pointer or the focus: what changes then
 * changes in its place, and that there are others by now is said until somebody asks to see them.
 */
export function useSteadyRows({ rows }: OnboardingQueue) {
  const [held, setHeld] = useState<readonly OnboardingRow[] | null>(null);
  const holders = useRef(new Set<"pointer" | "focus">());
  const shown: readonly SteadyRow[] = held === null ? rows : inPlace(held, rows);

  const hold = (by: "pointer" | "focus") => {
    holders.current.add(by);
    setHeld((before) => before ?? rows);
  };
  const release = (by: "pointer" | "focus") => {
    holders.current.delete(by);
    if (holders.current.size === 0) setHeld(null);
  };
  const places = new Set(shown.map(({ id }) => id));
  return {
    shown,
    arrivals: rows.filter(({ id }) => !places.has(id)).length,
    hasMoved: shown.length !== rows.length || shown.some(({ id }, place) => rows[place]?.id !== id),
    showNow: () => setHeld((before) => before && rows),
    /** What the rows stand in listens by these. */
    holding: {
      onPointerEnter: () => hold("pointer"),
      onPointerLeave: () => release("pointer"),
      onFocus: () => hold("focus"),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
        if (!currentTarget.contains(relatedTarget)) release("focus");
      },
    },
  };
}
