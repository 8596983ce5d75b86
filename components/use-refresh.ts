"use client";

import { useRouter } from "next/navigation";
import { useCallback } from "react";
import { useDesk } from "./desk";

/**
 * Renders the page as the server sees it by now. A refresh that gets no answer would make the browser load the page, and lose
 * what was typed and said in this one: then nothing is done.
 */
export function useRefresh(): () => void {
  const router = useRouter();
  const { findWhere } = useDesk();
  return useCallback(() => {
    void findWhere().then((where) => where === "here" && router.refresh());
  }, [router, findWhere]);
}
