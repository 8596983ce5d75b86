import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { buttonClass } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";

/** A document, masked or whole. */
const MAX_UNBROKEN = 20;

type PageHeaderProps = {
  title: string;
  parent?: { href: string; label: string };
  lead?: string;
  children?: ReactNode;
};

export function PageHeader({ title, parent, lead, children }: PageHeaderProps) {
  return (
    <header className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-1 px-5 py-2.5">
      <div className="flex min-w-0 items-center gap-1.5 max-wide:flex-auto max-medium:grow-[999] wide:min-w-56 wide:flex-1">
        {parent ? (
          <>
            <Link href={parent.href} prefetch={false} className="text-md whitespace-nowrap text-muted hover:text-ink">
              {parent.label}
            </Link>
            <Icon of="chevron-right" size={14} className="shrink-0 text-faint" />
          </>
        ) : null}
        <h1
          tabIndex={-1}
          className={cn(
            "outline-none text-md font-semibold",
            title.length > MAX_UNBROKEN ? "wrap-anywhere" : "whitespace-nowrap",
            lead && "wide:shrink-0",
          )}
        >
          {title}
        </h1>
        {lead ? <p className="ml-2 hidden truncate text-muted wide:block">{lead}</p> : null}
      </div>
      <div className="page-actions">{children}</div>
    </header>
  );
}

type StepLinksProps = { steps: readonly { label: string; href: string | null }[] };

export function StepLinks({ steps }: StepLinksProps) {
  const t = useTranslations("common");
  return steps.map(({ label, href }) =>
    href === null ? (
      <span key={label} aria-disabled title={t("noMore")} className={buttonClass("plain", "small")}>
        {label}
      </span>
    ) : (
      <Link key={label} href={href} prefetch={false} className={buttonClass("plain", "small")}>
        {label}
      </Link>
    ),
  );
}

type NeighbourLinksProps = { newer: string | null; older: string | null };

export function NeighbourLinks({ newer, older }: NeighbourLinksProps) {
  const t = useTranslations("states");
  if (newer === null && older === null) return null;
  const steps = [
    { href: newer, label: t("newer") },
    { href: older, label: t("older") },
  ];
  return (
    <nav aria-label={t("pages")} className="flex h-12 items-center justify-end gap-2 px-5">
      <StepLinks steps={steps} />
    </nav>
  );
}
