import { useRef, useState } from "react";
import { draftCan } from "@/lib/drafts/can";

/** `seen`: the duplicates on screen. `isAgreed`: called on sending, focuses an unset tick. */
export function useRepeat(duplicates: readonly { ref: string; isUnconfirmed: boolean }[]) {
  const tick = useRef<HTMLInputElement>(null);
  const seen = duplicates.map(({ ref }) => ref);
  // A tick covers only the duplicates shown when it was set.
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
    /** An unconfirmed duplicate cannot be ticked away. */
    isBlocked: draftCan.send(duplicates, seen) === "unconfirmed",
    isTicked,
    isMissing: isAsked && !isTicked,
    setTicked: (isSet: boolean) => setTickedFor(isSet ? seen.join(" ") : null),
    isAgreed,
  };
}
export type Repeat = ReturnType<typeof useRepeat>;
