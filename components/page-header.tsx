import { ChevronRight } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";

type PageHeaderProps = {
  title: string;
  parent?: { href: string; label: string };
  lead?: string;
  children?: ReactNode;
};

/** The top line of a screen: where one is and what can be done there. */
export function PageHeader({ title, parent, lead, children }: PageHeaderProps) {
  return (
    <header className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-1 px-5 py-2.5">
      <div className="flex min-w-0 items-center gap-1.5 max-desk:flex-auto desk:flex-1">
        {parent ? (
          <>
            <Link href={parent.href} prefetch={false} className="text-md whitespace-nowrap text-muted hover:text-ink">
              {parent.label}
            </Link>
            <ChevronRight aria-hidden size={14} className="shrink-0 text-faint" />
          </>
        ) : null}
        <h1 tabIndex={-1} className="outline-none text-md font-semibold max-desk:wrap-anywhere desk:truncate">
          {title}
        </h1>
        {lead ? <p className="ml-2 hidden truncate text-muted desk:block">{lead}</p> : null}
      </div>
      {children}
    </header>
  );
}
