import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";

export function RecordColumns({ children, aside }: { children: ReactNode; aside: ReactNode }) {
  return (
    <div className="grid border-t border-line xl:min-h-[calc(100dvh-3.25rem)] xl:grid-cols-[minmax(0,1fr)_26rem] print:block">
      <div className="min-w-0">{children}</div>
      <div className="min-w-0 border-line xl:border-l xl:bg-canvas print:border-0">{aside}</div>
    </div>
  );
}

type RecordSectionProps = {
  id: string;
  title: string;
  empty?: string | null;
  action?: ReactNode;
  children?: ReactNode;
};

export function RecordSection({ id, title, empty = null, action, children }: RecordSectionProps) {
  const isFolded = empty !== null && children === undefined;
  return (
    <section aria-labelledby={id} className={isFolded ? "border-b border-line" : "pb-5"}>
      <div
        className={cn("flex items-baseline justify-between gap-3 px-5", isFolded ? "py-2.5" : "pt-4 pb-2.5 print:pb-1")}
      >
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-2.5">
          <h2 id={id} className="text-sm font-medium text-muted">
            {title}
          </h2>
          {empty === null ? null : <p className="text-sm text-faint">{empty}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
