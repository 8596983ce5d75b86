import { useRef, useState } from "react";
import { draftCan } from "@/lib/drafts/can";

/** `seen` names what was shown; `isAgreed` is asked on sending, and focuses an unset tick. */
export function useRepeat(duplicates: readonly { ref: string; isUnconfirmed: boolean }[]) {
  const tick = useRef<HTMLInputElement>(null);
  const seen = duplicates.map(({ ref }) => ref);
  // A tick counts for what was shown when it was set.
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
    /** With an unknown outcome among them there is nothing to tick. */
    isBlocked: draftCan.send(duplicates, seen) === "unconfirmed",
    isTicked,
    isMissing: isAsked && !isTicked,
    setTicked: (isSet: boolean) => setTickedFor(isSet ? seen.join(" ") : null),
    isAgreed,
  };
}
export type Repeat = ReturnType<typeof useRepeat>;
