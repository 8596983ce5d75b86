"use client";

import { useCallback, useEffect, useRef } from "react";
import { useRefresh } from "./live-refresh";

/** Waits until the form is visible: going back during a refresh makes Next load the page and lose a click. */
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
