"use client";

import { useEffect, useRef } from "react";

/**
 * Tells what the link carried behind the `#`, "" when that was nothing, and takes it out of the address: now, and whenever
 * another link is opened in the same tab.
 */
export function useCarriedToken(onCarried: (token: string) => void): void {
  const held = useRef("");
  useEffect(() => {
    const take = () => {
      const carried = window.location.hash.slice(1);
      if (carried !== "") {
        held.current = carried;
        // Nor in the browser's history: whoever comes next to this machine finds an address without it.
        window.history.replaceState(window.history.state, "", window.location.pathname);
      }
      onCarried(held.current);
    };
    take();
    // Another link in the same tab changes nothing but this part of the address.
    window.addEventListener("hashchange", take);
    return () => window.removeEventListener("hashchange", take);
  }, [onCarried]);
}
