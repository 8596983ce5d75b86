"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";

const ShortcutSheet = dynamic(() => import("./shortcut-sheet").then((loaded) => loaded.ShortcutSheet), { ssr: false });

type ShortcutHintProps = { isOn: boolean; isOpen: boolean; onOpen: () => void; onClose: () => void };

/** Always in sight: that there are keys, and which one tells of them all. */
export function ShortcutHint({ isOn, isOpen, onOpen, onClose }: ShortcutHintProps) {
  const t = useTranslations("triage.keys");
  return (
    <>
      <button
        type="button"
        onClick={onOpen}
        aria-keyshortcuts="?"
        className="h-7 shrink-0 rounded px-1.5 text-sm text-muted hover:bg-hover hover:text-ink max-desk:hidden"
      >
        {isOn ? t("hint") : t("hintOff")}
      </button>
      {isOpen ? <ShortcutSheet isOn={isOn} onClose={onClose} /> : null}
    </>
  );
}
