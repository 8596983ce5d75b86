"use client";

import { type ReactNode, useState } from "react";

type FoldProps = { summary: ReactNode; className?: string; tone?: string; children: ReactNode };

/** Renders what it hides only once it is opened. */
export function Fold({ summary, className, tone = "text-muted hover:text-ink", children }: FoldProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className={className}>
      <summary className={`w-fit ${tone}`}>{summary}</summary>
      {isOpen ? children : null}
    </details>
  );
}
