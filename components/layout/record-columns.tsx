import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";

/** `after`: what stands below the aside where there is one column. */
type RecordColumnsProps = { children: ReactNode; aside: ReactNode; after?: ReactNode };

export function RecordColumns({ children, aside, after }: RecordColumnsProps) {
  return (
    <div
      className={cn(
        "grid border-t border-line xl:min-h-[calc(100dvh-3.25rem)] xl:grid-cols-[minmax(0,1fr)_26rem] print:block",
        after !== undefined && "xl:grid-rows-[auto_1fr]",
      )}
    >
      <div className="min-w-0">{children}</div>
      <div
        className={cn(
          "min-w-0 border-line xl:border-l xl:bg-canvas print:border-0",
          after !== undefined && "xl:col-start-2 xl:row-span-2 xl:row-start-1",
        )}
      >
        {aside}
      </div>
      {after === undefined ? null : <div className="min-w-0 xl:col-start-1">{after}</div>}
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
