"use client";

import { useCallback } from "react";
import { useDesk } from "@/components/session/desk";

/**
 * Renders the page as the server sees it by now. A refresh that gets no answer would make the browser load the page, and lose
 * what was typed and said in this one: then nothing is done.
 */
export function useRefresh(): () => void {
  const { findWhere, refresh } = useDesk();
  return useCallback(() => {
    void findWhere().then((where) => where === "here" && refresh());
  }, [findWhere, refresh]);
}
