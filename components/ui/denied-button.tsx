"use client";

import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { keyOf } from "./keys";
import { cn } from "./cn";

const MARGIN_PX = 8;
const WIDTH_PX = 256;

type DeniedButtonProps = {
  reason: string;
  className: string;
  isWide?: boolean;
  children: ReactNode;
};

/** Stays visible and in the tab order, and gives the reason on hover, focus and touch. */
export function DeniedButton({ reason, className, isWide = false, children }: DeniedButtonProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const tip = useRef<HTMLSpanElement>(null);

  const show = () => {
    const box = button.current?.getBoundingClientRect();
    if (!box || !tip.current) return;
    const left = Math.min(Math.max(MARGIN_PX, box.right - WIDTH_PX), window.innerWidth - WIDTH_PX - MARGIN_PX);
    tip.current.style.left = `${Math.max(MARGIN_PX, left)}px`;
    tip.current.style.top = `${box.bottom}px`;
    tip.current.showPopover();
  };
  const hide = () => tip.current?.hidePopover();
  const hideOnEscape = (event: KeyboardEvent) => {
    if (keyOf(event) === "Escape") hide();
  };

  return (
    <span className={cn("relative z-1", isWide ? "flex" : "inline-flex")} onMouseEnter={show} onMouseLeave={hide}>
      <button
        ref={button}
        type="button"
        aria-disabled
        aria-describedby={id}
        onBlur={hide}
        onClick={show}
        onFocus={show}
        onKeyDown={hideOnEscape}
        className={className}
      >
        {children}
      </button>
      {/* The transparent border lets the pointer cross over. */}
      <span
        ref={tip}
        id={id}
        role="tooltip"
        popover="manual"
        className="fixed inset-auto m-0 w-64 rounded-lg border-6 border-transparent bg-ink bg-clip-padding px-2.5 py-2 text-start text-sm whitespace-normal text-surface backdrop:hidden"
      >
        {reason}
      </span>
    </span>
  );
}
