"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useTransition } from "react";

/**
 * Renders the page as the server sees it by now. One at a time: of several on their way at once the framework may find that they
 * do not fit each other, and loads the page. Whatever is asked for meanwhile is one more, afterwards.
 */
export function useOneRefresh(): () => void {
  const router = useRouter();
  const [isOnItsWay, start] = useTransition();
  const turns = useRef({ isTaken: false, isDue: false });
  const refresh = useCallback(() => {
    const { current } = turns;
    current.isDue = current.isTaken;
    current.isTaken = true;
    if (!current.isDue) start(() => router.refresh());
  }, [router]);
  useEffect(() => {
    const { current } = turns;
    if (isOnItsWay) return;
    current.isTaken = false;
    if (current.isDue) refresh();
  }, [isOnItsWay, refresh]);
  return refresh;
}
