import Link from "next/link";
import { cn } from "./cn";

export type ChoiceLink = { href: string; label: string; count?: string | undefined; isCurrent: boolean };

export function ChoiceLinks({ label, choices }: { label: string; choices: ChoiceLink[] }) {
  return (
    <nav aria-label={label} className="shrink-0">
      <ul className="inline-flex rounded border border-line bg-canvas p-0.5">
        {choices.map((choice) => (
          <li key={choice.href}>
            <Link
              href={choice.href}
              prefetch={false}
              scroll={false}
              aria-current={choice.isCurrent ? "true" : undefined}
              className={cn(
                "flex h-6 items-center gap-1.5 rounded-sm px-2 text-sm whitespace-nowrap",
                choice.isCurrent ? "bg-raised font-medium text-ink shadow-control" : "text-muted hover:text-ink",
              )}
            >
              {choice.label}
              {choice.count === undefined ? null : <span className="text-faint tabular-nums">{choice.count}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
