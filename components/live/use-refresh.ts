"use client";

import { useCallback } from "react";
import { useDesk } from "@/components/session/desk";

/** A refresh without an answer would load the page and lose what was typed: then nothing is done. */
export function useRefresh(): () => void {
  const { findWhere, refresh } = useDesk();
  return useCallback(() => {
    void findWhere().then((where) => where === "here" && refresh());
  }, [findWhere, refresh]);
}
