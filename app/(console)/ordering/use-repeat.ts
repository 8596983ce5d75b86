import { useRef, useState } from "react";

/**
 * The tick of whoever goes on although there is something like it already. `seen` names what stood there; `isAgreed` is asked
 * on sending, and takes to the tick whoever has not set it.
 */
export function useRepeat(likenesses: readonly { ref: string; isUnsettled: boolean }[]) {
  const tick = useRef<HTMLInputElement>(null);
  const seen = likenesses.map(({ ref }) => ref);
  // A tick counts for what stood there when it was set.
  const [tickedFor, setTickedFor] = useState<string | null>(null);
  const [isAsked, setAsked] = useState(false);
  const isTicked = tickedFor === seen.join(" ");

  const isAgreed = () => {
    setAsked(true);
    if (seen.length === 0 || isTicked) return true;
    tick.current?.focus();
    return false;
  };
  return {
    tick,
    seen,
    /** One of them is not settled: there is nothing to tick. */
    isBlocked: likenesses.some(({ isUnsettled }) => isUnsettled),
    isTicked,
    isMissing: isAsked && !isTicked,
    setTicked: (isSet: boolean) => setTickedFor(isSet ? seen.join(" ") : null),
    isAgreed,
  };
}
export type Repeat = ReturnType<typeof useRepeat>;
