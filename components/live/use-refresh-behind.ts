"use client";

import { useCallback, useEffect, useRef } from "react";
import { useRefresh } from "./live-refresh";

/** Waits until the form shows again: its step back while a refresh is on its way would make Next load the page, and lose a click. */
export function useRefreshBehind(isReviewed: boolean): () => void {
  const refresh = useRefresh();
  const now = useRef({ isReviewed, isDue: false });
  useEffect(() => {
    const { isDue } = now.current;
    now.current = { isReviewed, isDue: isDue && isReviewed };
    if (isDue && !isReviewed) refresh();
  }, [isReviewed, refresh]);
  return useCallback(() => {
    if (now.current.isReviewed) now.current.isDue = true;
    else refresh();
  }, [refresh]);
}
