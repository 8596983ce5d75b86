"use client";

import { useEffect, useRef } from "react";

/** "" without a token. Also for another link opened in the same tab. */
export function useCarriedToken(onCarried: (token: string) => void): void {
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
