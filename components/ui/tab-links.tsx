import Link from "next/link";
import { cn } from "./cn";

export type TabLink = { href: string; label: string; count?: string | undefined; isCurrent: boolean };

export function TabLinks({ label, tabs }: { label: string; tabs: TabLink[] }) {
  return (
    <nav aria-label={label} className="edge-fade -ml-2 min-w-0 overflow-x-auto [scrollbar-width:none]">
      <ul className="flex h-10 items-stretch gap-0.5">
        {tabs.map((tab) => (
          // Narrow windows scroll to the current tab.
          <li key={tab.href} className={cn("flex", tab.isCurrent && "scroll-mx-16 [scroll-initial-target:nearest]")}>
            <Link href={tab.href} prefetch={false} aria-current={tab.isCurrent ? "page" : undefined} className="tab">
              {tab.label}
              {tab.count === undefined ? null : <span className="text-sm text-faint tabular-nums">{tab.count}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
