"use client";

import { useCallback, useEffect, useState } from "react";
import { useRefresh } from "./live-refresh";

/** Waits until the form shows again: its step back while a refresh is on its way would make Next load the page, and lose a click. */
export function useRefreshBehind(isReviewed: boolean): () => void {
  const refresh = useRefresh();
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    if (!isDue || isReviewed) return;
    setDue(false);
    refresh();
  }, [isDue, isReviewed, refresh]);
  return useCallback(() => setDue(true), []);
}
