"use client";

import { useEffect, useState } from "react";

const TICK_MS = 30_000;

/** Says how long it has been followed, and at once when the window is returned to. Returns what ends it. */
export function followTime(passed: (ms: number) => void): () => void {
  const begunMs = Date.now();
  const tell = () => passed(Math.max(0, Date.now() - begunMs));
  const timer = setInterval(tell, TICK_MS);
  document.addEventListener("visibilitychange", tell);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", tell);
  };
}

/** From the server's `now`, so that both render the same: the browser's clock may be wrong, its pace is not. */
export function useNow(now: string): number {
  const [passed, setPassed] = useState({ since: now, ms: 0 });
  useEffect(() => followTime((ms) => setPassed({ since: now, ms })), [now]);
  return Date.parse(now) + (passed.since === now ? passed.ms : 0);
}
