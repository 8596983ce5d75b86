"use client";

import { useCallback } from "react";
import { useScope } from "@/components/session/scope";

/** A refresh without an answer would load the page and lose what was typed: then nothing is done. */
export function useRefresh(): () => void {
  const { findWhere, refresh } = useScope();
  return useCallback(() => {
    void findWhere().then((where) => where === "here" && refresh());
  }, [findWhere, refresh]);
}
