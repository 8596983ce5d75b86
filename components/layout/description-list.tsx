import type { ReactNode } from "react";

export function DescriptionList({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line border-y border-line">{children}</dl>;
}

export function Described({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="grid min-h-9.5 grid-cols-[9.5rem_minmax(0,1fr)] items-center gap-3 px-5 py-1.5">
      <dt className="text-muted">{name}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 wrap-anywhere tabular-nums">{children}</dd>
    </div>
  );
}
