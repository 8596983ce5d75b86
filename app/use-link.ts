"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { Action } from "@/lib/action";

/** "" without a token. Also for another link opened in the same tab. */
function useCarriedToken(onCarried: (token: string) => void): void {
  const held = useRef("");
  useEffect(() => {
    const take = () => {
      const carried = window.location.hash.slice(1);
      if (carried !== "") {
        held.current = carried;
        // Nor in the browser's history.
        window.history.replaceState(window.history.state, "", window.location.pathname);
      }
      onCarried(held.current);
    };
    take();
    // Another link in the same tab changes only the fragment.
    window.addEventListener("hashchange", take);
    return () => window.removeEventListener("hashchange", take);
  }, [onCarried]);
}

/** `bare`: no token. */
type LinkStanding<View> =
  | { step: "opening" }
  | { step: "bare" }
  | { step: "gone" }
  | { step: "failed" }
  | { step: "open"; view: View; token: string };

type Opening<View> = Action<{ token: string }, View>;

const NO_DESK = "";

async function readStanding<View>(open: Opening<View>, token: string): Promise<LinkStanding<View>> {
  if (token === "") return { step: "bare" };
  const answer = await open({ token }, NO_DESK).catch(() => null);
  if (answer === null) return { step: "failed" };
  if (answer.ok) return { step: "open", view: answer.data, token };
  const { kind } = answer.error;
  return { step: kind === "not-found" || kind === "invalid" ? "gone" : "failed" };
}

type Link<View> = { standing: LinkStanding<View>; look: () => void; leave: () => void };

export function useLink<View>(open: Opening<View>): Link<View> {
  const [standing, setStanding] = useState<LinkStanding<View>>({ step: "opening" });
  const token = useRef("");
  const look = useCallback(() => void readStanding(open, token.current).then(setStanding), [open]);
  const take = useCallback(
    (carried: string) => {
      token.current = carried;
      look();
    },
    [look],
  );
  useCarriedToken(take);
  return { standing, look, leave: () => setStanding({ step: "bare" }) };
}
