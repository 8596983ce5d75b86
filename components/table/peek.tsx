"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { Icon } from "@/components/ui/icons";
import { keyOf as pressedKey } from "@/components/ui/keys";

type PeekProps = { id: string; label: string; onBack: () => void; onClose: () => void; children: ReactNode };

/** A row beside its list. */
export function Peek({ id, label, onBack, onClose, children }: PeekProps) {
  const t = useTranslations("common");
  const panel = useRef<HTMLElement>(null);
  const act = useEffectEvent((event: KeyboardEvent) => {
    const key = pressedKey(event).toLowerCase();
    if (key === "escape") onClose();
    // The list goes on from the row whose details these are.
    if (key === "j" || key === "k") onBack();
    if (key !== "tab" || !event.shiftKey || event.target !== panel.current) return;
    event.preventDefault();
    onBack();
  });
  useEffect(() => {
    const gone = new AbortController();
    panel.current?.addEventListener("keydown", (event) => act(event), { signal: gone.signal });
    return () => gone.abort();
  }, []);
  return (
    <section
      id={id}
      aria-label={label}
      ref={panel}
      tabIndex={-1}
      className="@container sticky top-0 max-h-dvh w-104 shrink-0 overflow-y-auto border-b border-l border-line bg-canvas outline-offset-[-2px] print:hidden"
    >
      <header className="flex items-center gap-2 px-5 pt-3 text-sm text-muted">
        <span className="min-w-0 flex-1 truncate">{label}</span>
        <kbd aria-hidden>J K</kbd>
        <button
          type="button"
          aria-label={t("close")}
          onClick={onClose}
          className="grid size-7 place-items-center rounded hover:bg-hover hover:text-ink"
        >
          <Icon of="x" size={16} />
        </button>
      </header>
      {children}
    </section>
  );
}
