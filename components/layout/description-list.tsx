import type { ReactNode } from "react";

export function DescriptionList({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line border-y border-line">{children}</dl>;
}

type DescribedProps = { name: string; /** The source of the value. */ title?: string; children: ReactNode };

export function Described({ name, title, children }: DescribedProps) {
  return (
    <div className="grid min-h-9.5 grid-cols-[9.5rem_minmax(0,1fr)] items-center gap-3 px-5 py-1.5">
      <dt title={title} className="text-muted wrap-anywhere">
        {name}
      </dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 wrap-anywhere tabular-nums">{children}</dd>
    </div>
  );
}
