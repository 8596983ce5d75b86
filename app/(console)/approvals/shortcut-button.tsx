"use client";

import { Keyboard } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { buttonClass } from "@/components/ui/button";

/** Rarely opened, and a tenth of the screen's code. */
export const ShortcutSheet = dynamic(() => import("./shortcut-sheet").then((loaded) => loaded.ShortcutSheet), {
  ssr: false,
});

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
