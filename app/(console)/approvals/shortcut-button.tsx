"use client";

import { Keyboard } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { buttonClass } from "@/components/ui/button";

/** A dialog's code is a tenth of a screen's, and few look the keys up. */
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
