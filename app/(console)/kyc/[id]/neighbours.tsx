import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { buttonClass } from "@/components/ui/button";

type NeighboursProps = { previous: string | null; next: string | null };

/** The cases beside this one in the queue as it was filtered; an end stays in place, marked as such. */
export function Neighbours({ previous, next }: NeighboursProps) {
  const t = useTranslations("kycCase");
  const steps = [
    { href: previous, label: t("previous"), rel: "prev", Icon: ChevronLeft },
    { href: next, label: t("next"), rel: "next", Icon: ChevronRight },
  ];
  if (previous === null && next === null) return null;
  return (
    <nav aria-label={t("beside")} className="flex gap-1">
      {steps.map(({ href, label, rel, Icon }) =>
        href === null ? (
          <span key={label} aria-disabled className={buttonClass("quiet", "small")}>
            <Icon aria-hidden size={14} />
            <span className="sr-only">{label}</span>
          </span>
        ) : (
          <Link
            key={label}
            href={href}
            rel={rel}
            prefetch={false}
            aria-label={label}
            title={label}
            className={buttonClass("quiet", "small")}
          >
            <Icon aria-hidden size={14} />
          </Link>
        ),
      )}
    </nav>
  );
}
