"use client";

import { useEffect, useState } from "react";

const TICK_MS = 30_000;

/** Reports the elapsed time, also when the window regains focus. Returns a function that stops it. */
export function followTime(passed: (ms: number) => void, everyMs = TICK_MS): () => void {
  const begunMs = Date.now();
  const tell = () => passed(Math.max(0, Date.now() - begunMs));
  const timer = setInterval(tell, everyMs);
  document.addEventListener("visibilitychange", tell);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", tell);
  };
}

/** Starts from the server's `now` so that both render the same; a wrong browser clock still runs at the right pace. */
export function useNow(now: string, everyMs = TICK_MS): number {
  const [passed, setPassed] = useState({ since: now, ms: 0 });
  useEffect(() => followTime((ms) => setPassed({ since: now, ms }), everyMs), [now, everyMs]);
  return Date.parse(now) + (passed.since === now ? passed.ms : 0);
}
