"use client";

import { type ReactNode, useLayoutEffect, useRef } from "react";
import { giveFocusBack } from "@/components/ui/give-focus-back";

type OpenedPlaceProps = { label: string; close: ReactNode; children: ReactNode };

/** Beside the page, or over it where that is narrow: nothing scrolls. Takes the focus, and gives it back when it closes. */
export function OpenedPlace({ label, close, children }: OpenedPlaceProps) {
  const place = useRef<HTMLElement>(null);
  const closing = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const here = place.current;
    const opener = document.activeElement;
    here?.focus({ preventScroll: true });
    const leave = ({ key }: KeyboardEvent) => key === "Escape" && closing.current?.querySelector("a")?.click();
    here?.addEventListener("keydown", leave);
    return () => {
      here?.removeEventListener("keydown", leave);
      if (here?.contains(document.activeElement)) giveFocusBack(opener === document.body ? null : opener);
    };
  }, []);
  return (
    <section
      ref={place}
      tabIndex={-1}
      aria-label={label}
      className="sticky top-12 z-10 h-[calc(100dvh-3rem)] min-w-0 self-start overflow-y-auto border-line bg-surface outline-none [grid-area:1/1] wide:top-0 wide:h-dvh @wide:border-s @wide:[grid-area:1/2]"
    >
      <div className="flex items-start justify-between gap-3 border-b border-line px-5 py-3">
        <h2 className="min-w-0 text-md font-semibold wrap-anywhere">{label}</h2>
        <div ref={closing}>{close}</div>
      </div>
      {children}
    </section>
  );
}
