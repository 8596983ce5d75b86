import type { ReactNode } from "react";

type FoldProps = { summary: ReactNode; className?: string; children: ReactNode };

/** In place of `components/ui/fold`, as somebody who opened it sees it. */
export const Fold = ({ summary, className, children }: FoldProps) => (
  <details className={className}>
    <summary>{summary}</summary>
    {children}
  </details>
);
