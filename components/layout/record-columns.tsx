import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";

/** `after`: follows the aside in a single column. */
type RecordColumnsProps = { children: ReactNode; aside: ReactNode; after?: ReactNode };

export function RecordColumns({ children, aside, after }: RecordColumnsProps) {
  return (
    <div
      className={cn(
        "grid border-t border-line @widest:min-h-[calc(100dvh-3.25rem)] @widest:grid-cols-[minmax(0,1fr)_26rem] print:block",
        after !== undefined && "@widest:grid-rows-[auto_1fr]",
      )}
    >
      <div className="@container min-w-0">{children}</div>
      <div
        className={cn(
          "min-w-0 border-line @widest:border-l @widest:bg-canvas print:border-0",
          after !== undefined && "@widest:col-start-2 @widest:row-span-2 @widest:row-start-1",
        )}
      >
        {aside}
      </div>
      {after === undefined ? null : <div className="min-w-0 @widest:col-start-1">{after}</div>}
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
  const heading = (
    <h2 id={id} className="min-w-0 text-sm font-medium text-muted">
      {title}
    </h2>
  );
  return (
    <section aria-labelledby={id} className={isFolded ? "border-b border-line" : "pb-5"}>
      <div
        className={cn("flex items-baseline justify-between gap-3 px-5", isFolded ? "py-2.5" : "pt-4 pb-2.5 print:pb-1")}
      >
        {empty === null ? (
          heading
        ) : (
          <div className="flex min-w-0 flex-wrap items-baseline gap-x-2.5">
            {heading}
            <p className="text-sm text-faint">{empty}</p>
          </div>
        )}
        {action}
      </div>
      {children}
    </section>
  );
}
