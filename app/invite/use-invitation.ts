"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { openInvitation } from "@/lib/staff/actions";
import type { Welcome } from "@/lib/staff/rules";

export type Standing =
  | { step: "opening" }
  | { step: "no-token" }
  | { step: "gone" }
  | { step: "failed" }
  | { step: "open"; welcome: Welcome; token: string };

/** The page belongs to no desk: what it sends is for whoever holds the link. */
const NO_DESK = "";

async function readStanding(token: string): Promise<Standing> {
  if (token === "") return { step: "no-token" };
  const [asked] = await Promise.allSettled([openInvitation({ token }, NO_DESK)]);
  if (asked.status === "rejected") return { step: "failed" };
  const answer = asked.value;
  if (answer.ok) return { step: "open", welcome: answer.data, token };
  const { kind } = answer.error;
  return { step: kind === "not-found" || kind === "invalid" ? "gone" : "failed" };
}

/** Takes the token from behind the `#` and out of the address, and asks what it is good for; `look` asks again. */
export function useInvitation(): { standing: Standing; look: () => void } {
  const [standing, setStanding] = useState<Standing>({ step: "opening" });
  const token = useRef("");
  const look = useCallback(() => void readStanding(token.current).then(setStanding), []);

  useEffect(() => {
    const take = () => {
      const carried = window.location.hash.slice(1);
      if (carried !== "") {
        token.current = carried;
        // Nor in the browser's history: whoever comes next to this machine finds an address without it.
        window.history.replaceState(window.history.state, "", window.location.pathname);
      }
      look();
    };
    take();
    // Another link in the same tab changes nothing but this part of the address.
    window.addEventListener("hashchange", take);
    return () => window.removeEventListener("hashchange", take);
  }, [look]);

  return { standing, look };
}
