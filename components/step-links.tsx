import Link from "next/link";
import { buttonClass } from "@/components/ui/button";

type StepLinksProps = { steps: readonly { label: string; href: string | null }[] };

/** The ways to the pages beside this one; one that leads nowhere stays in place, marked as such. */
export function StepLinks({ steps }: StepLinksProps) {
  return steps.map(({ label, href }) =>
    href === null ? (
      <span key={label} aria-disabled className={buttonClass("plain", "small")}>
        {label}
      </span>
    ) : (
      <Link key={label} href={href} prefetch={false} className={buttonClass("plain", "small")}>
        {label}
      </Link>
    ),
  );
}
