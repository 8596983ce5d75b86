"use client";

import { useLayoutEffect, useSyncExternalStore } from "react";
import { keyOf } from "@/components/ui/keys";
import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { buttonClass } from "@/components/ui/button";
import { deferred } from "@/components/layout/deferred";

const SETTING = "retaguarda-shortcuts";
const listeners = new Set<() => void>();

const areOn = () => localStorage.getItem(SETTING) !== "off";

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

/** People who dictate turn single keys off. */
export const useShortcutSetting = (): boolean => useSyncExternalStore(subscribe, areOn, () => true);

export function setShortcuts(isOn: boolean): void {
  localStorage.setItem(SETTING, isOn ? "on" : "off");
  for (const listener of listeners) listener();
}

type Shortcuts = Readonly<Partial<Record<string, () => void>>>;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");

export function useShortcuts(shortcuts: Shortcuts): void {
  const isOn = useShortcutSetting();
  useLayoutEffect(() => {
    const act = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector("[role=dialog]") !== null) return;
      const key = keyOf(event).toLowerCase();
      // The list of keys is where they are turned on again.
      const run = isOn || key === "?" ? shortcuts[key] : undefined;
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    document.addEventListener("keydown", act);
    return () => document.removeEventListener("keydown", act);
  }, [isOn, shortcuts]);
}

export const ShortcutSheet = deferred(() => import("./shortcut-sheet").then((loaded) => loaded.ShortcutSheet));

export function ShortcutButton({ onOpen }: { onOpen: () => void }) {
  const t = useTranslations("approvals");
  return (
    <button
      type="button"
      aria-keyshortcuts="?"
      onClick={onOpen}
      className={`${buttonClass("quiet", "small")} max-wide:hidden`}
    >
      <Icon of="keyboard" size={14} />
      {t("shortcuts")}
    </button>
  );
}
