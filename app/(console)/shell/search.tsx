"use client";

import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useState, useTransition } from "react";
import { cn } from "@/components/ui/cn";
import { keyOf } from "@/components/ui/keys";
import { deferred } from "@/components/layout/deferred";
import { OpenSearch, useSearch } from "@/components/layout/open-search";
import type { SearchCommand } from "./search-dialog";
import { adding, type Begun, type Edit, editOf } from "./typed-ahead";

const loadDialog = () => import("./search-dialog").then((loaded) => loaded.SearchDialog);
const SearchDialog = deferred(loadDialog);

const isShortcut = (event: KeyboardEvent) =>
  keyOf(event).toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;

/** A dialog's own content comes before the screen's. */
const isUnderDialog = () => document.querySelector("[role=dialog][data-state=open]") !== null;

type SetBegun = (change: (before: Begun | null) => Begun | null) => void;

/** What is typed or pasted after the shortcut belongs to the search, even before its code is loaded. */
function useTypedAhead(isBegun: boolean, setBegun: SetBegun): void {
  useEffect(() => {
    if (!isBegun) return undefined;
    const take = (event: Event, edit: Edit | undefined) => {
      if (edit === undefined || isUnderDialog()) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      setBegun((before) => (before === null ? null : edit(before)));
    };
    const onKey = (event: KeyboardEvent) => take(event, editOf(event));
    const onPaste = (event: ClipboardEvent) => {
      const pasted = event.clipboardData?.getData("text") ?? "";
      take(event, adding(pasted));
    };
    window.addEventListener("keydown", onKey, true);
    window.addEventListener("paste", onPaste, true);
    return () => {
      window.removeEventListener("keydown", onKey, true);
      window.removeEventListener("paste", onPaste, true);
    };
  }, [isBegun, setBegun]);
}

/** One search for all screens, opened by its buttons and by Ctrl or Cmd and K. */
export function Searching({ commands, children }: { commands: readonly SearchCommand[]; children: ReactNode }) {
  const t = useTranslations("common");
  const router = useRouter();
  const [begun, setBegun] = useState<Begun | null>(null);
  const [isGoing, startGoing] = useTransition();
  const go = (href: string) => {
    setBegun(null);
    startGoing(() => router.push(href));
  };
  useTypedAhead(begun !== null, setBegun);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isShortcut(event) || isUnderDialog()) return;
      event.preventDefault();
      setBegun((before) => before ?? { text: "", isEntered: false });
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <OpenSearch value={(text = "") => setBegun({ text, isEntered: false })}>
      {children}
      {isGoing ? <output aria-label={t("loading")} className="progress-line print:hidden" /> : null}
      {begun === null ? null : (
        <SearchDialog commands={commands} begun={begun} onGo={go} onClose={() => setBegun(null)} />
      )}
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
