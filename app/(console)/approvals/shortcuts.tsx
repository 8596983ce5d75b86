"use client";

import { useLayoutEffect } from "react";
import { signOf } from "@/components/ui/keys";
import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { buttonClass } from "@/components/ui/button";
import { useShortcutSetting } from "@/app/(console)/shell/shortcut-setting";

type Shortcuts = Readonly<Partial<Record<string, () => void>>>;

export function useShortcuts(shortcuts: Shortcuts): void {
  const { isOn } = useShortcutSetting();
  useLayoutEffect(() => {
    const act = (event: KeyboardEvent) => {
      const key = signOf(event);
      // `?` always works, since its dialog turns the keys on again.
      const run = key !== null && (isOn || key === "?") ? shortcuts[key] : undefined;
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    document.addEventListener("keydown", act);
    return () => document.removeEventListener("keydown", act);
  }, [isOn, shortcuts]);
}

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
