"use client";

import { type ReactNode, useId, useState } from "react";
import { cn } from "./cn";

const OPENERS = { medium: "@medium:hidden", widest: "@widest:hidden" } as const;
const FOLDED = { medium: "@max-medium:hidden", widest: "@max-widest:hidden" } as const;

type NarrowFoldProps = {
  summary: ReactNode;
  below: keyof typeof FOLDED;
  startsOpen?: boolean;
  className?: string;
  children: ReactNode;
};

/** Folded below a width until it is opened; from there on always in sight, without its button. */
export function NarrowFold({ summary, below, startsOpen = false, className, children }: NarrowFoldProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(startsOpen);
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className={cn("row-opener text-start text-sm text-muted hover:text-ink", OPENERS[below], className)}
      >
        {summary}
      </button>
      <div id={id} className={isOpen ? undefined : FOLDED[below]}>
        {children}
      </div>
    </>
  );
}
