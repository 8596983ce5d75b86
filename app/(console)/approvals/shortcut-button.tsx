"use client";

import { Keyboard } from "lucide-react";
import { useTranslations } from "next-intl";
import { buttonClass } from "@/components/ui/button";
import { deferred } from "@/components/ui/deferred";

/** Rarely opened, and a tenth of the screen's code. */
export const ShortcutSheet = deferred(() => import("./shortcut-sheet").then((loaded) => loaded.ShortcutSheet));

export function ShortcutButton({ onOpen }: { onOpen: () => void }) {
  const t = useTranslations("approvals");
  return (
    <button
      type="button"
      aria-keyshortcuts="?"
      onClick={onOpen}
      className={`${buttonClass("quiet", "small")} max-desk:hidden`}
    >
      <Keyboard aria-hidden size={14} />
      {t("shortcuts")}
    </button>
  );
}
