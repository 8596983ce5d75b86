import Link from "next/link";
import type { ReactNode } from "react";

export type BarRow = {
  id: string;
  name: ReactNode;
  href?: string;
  count: number;
  /** The count as shown when it is incomplete. */
  shown: string;
  tone: string;
};

export function BarList({ rows }: { rows: readonly BarRow[] }) {
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <ul className="grid grid-cols-[max-content_minmax(0,1fr)_max-content] items-center gap-x-3.5 gap-y-2.5 px-5">
      {rows.map(({ id, name, href, count, shown, tone }) => (
        <li key={id} className="contents">
          {href === undefined ? (
            <span>{name}</span>
          ) : (
            <Link href={href} prefetch={false} className="text-accent hover:underline">
              {name}
            </Link>
          )}
          <svg aria-hidden viewBox="0 0 100 1" preserveAspectRatio="none" className="h-4 w-full">
            <rect width={(count / most) * 100} height="1" className={tone} />
          </svg>
          <span className="text-end tabular-nums">{shown}</span>
        </li>
      ))}
    </ul>
  );
}
