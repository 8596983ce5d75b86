"use client";

import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { cn } from "@/components/ui/cn";
import { keyOf } from "@/components/ui/keys";
import { deferred } from "@/components/layout/deferred";
import { OpenSearch, useSearch } from "@/components/layout/open-search";
import type { SearchCommand } from "./search-dialog";

const loadDialog = () => import("./search-dialog").then((loaded) => loaded.SearchDialog);
const SearchDialog = deferred(loadDialog);

const isShortcut = (event: KeyboardEvent) =>
  keyOf(event).toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;

/** A dialog's own content comes before the screen's. */
const isUnderDialog = () => document.querySelector("[role=dialog][data-state=open]") !== null;

/** One search for all screens, opened by its buttons and by Ctrl or Cmd and K. */
export function Searching({ commands, children }: { commands: readonly SearchCommand[]; children: ReactNode }) {
  const [begun, setBegun] = useState<string | null>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isShortcut(event) || isUnderDialog()) return;
      event.preventDefault();
      setBegun((before) => before ?? "");
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <OpenSearch value={(typed = "") => setBegun(typed)}>
      {children}
      {begun === null ? null : <SearchDialog commands={commands} begun={begun} onClose={() => setBegun(null)} />}
    </OpenSearch>
  );
}

export function SearchButton({ isIcon = false }: { isIcon?: boolean }) {
  const t = useTranslations("search");
  const open = useSearch();
  return (
    <button
      type="button"
      onClick={() => open()}
      onPointerEnter={() => void loadDialog()}
      onFocus={() => void loadDialog()}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      {...(isIcon && { "aria-label": t("title") })}
      className={cn(
        "text-muted hover:bg-hover hover:text-ink",
        isIcon
          ? "grid size-9 place-items-center rounded"
          : "flex h-8 w-full items-center gap-2 rounded border border-line px-2.5 text-sm",
      )}
    >
      <Icon of="search" size={isIcon ? 18 : 14} />
      {isIcon ? null : (
        <>
          <span className="flex-1 text-start">{t("button")}</span>
          <kbd aria-hidden className="font-sans text-xs text-faint">
            {t("shortcut")}
          </kbd>
        </>
      )}
    </button>
  );
}
