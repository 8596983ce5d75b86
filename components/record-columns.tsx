import type { ReactNode } from "react";

/** A record and what goes with it: side by side on wide windows, one under the other on narrow ones. */
export function RecordColumns({ children, aside }: { children: ReactNode; aside: ReactNode }) {
  return (
    <div className="grid border-t border-line xl:min-h-[calc(100dvh-3.25rem)] xl:grid-cols-[minmax(0,1fr)_26rem]">
      <div className="min-w-0">{children}</div>
      <div className="min-w-0 border-line xl:border-l xl:bg-canvas">{aside}</div>
    </div>
  );
}

type RecordSectionProps = { id: string; title: string; children: ReactNode };

export function RecordSection({ id, title, children }: RecordSectionProps) {
  return (
    <section aria-labelledby={id} className="pb-5">
      <h2 id={id} className="px-5 pt-4 pb-2.5 text-sm font-medium text-muted">
        {title}
      </h2>
      {children}
    </section>
  );
}
