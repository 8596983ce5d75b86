"use client";

import { type ReactNode, useEffect, useEffectEvent, useMemo, useOptimistic, useState } from "react";
import { deferred } from "@/components/layout/deferred";
import { moveInRows, signOf } from "@/components/ui/keys";
import { useSearch } from "@/components/layout/open-search";
import { Shortcuts } from "./shortcut-setting";

export const ShortcutSheet = deferred(() => import("./shortcut-sheet").then((loaded) => loaded.ShortcutSheet));

const SEARCHES = "main input[type=search], main input[role=searchbox]";

/** The same keys in every list; a screen's own keys come first. */
export function ListKeys({ isOn: stored, children }: { isOn: boolean; children: ReactNode }) {
  // Applies at once, before the server has stored it.
  const [isOn, choose] = useOptimistic(stored);
  const search = useSearch();
  const [isSheetOpen, setSheetOpen] = useState(false);
  const acts: Readonly<Record<string, () => boolean>> = {
    j: () => moveInRows(1),
    k: () => moveInRows(-1),
    "/": () => {
      const box = document.querySelector<HTMLInputElement>(SEARCHES);
      if (box === null) search();
      else box.select();
      return true;
    },
    "?": () => {
      setSheetOpen(true);
      return true;
    },
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    const sign = signOf(event);
    if (sign !== null && acts[sign]?.() === true) event.preventDefault();
  });
  useEffect(() => {
    if (!isOn) return undefined;
    const onKey = (event: KeyboardEvent) => press(event);
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [isOn]);
  const setting = useMemo(() => ({ isOn, show: () => setSheetOpen(true), choose }), [isOn, choose]);
  return (
    <Shortcuts value={setting}>
      {children}
      {isSheetOpen ? <ShortcutSheet of="lists" onClose={() => setSheetOpen(false)} /> : null}
    </Shortcuts>
  );
}
