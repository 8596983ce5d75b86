import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { buttonClass } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { formatCount } from "@/lib/text/format";
import { type Counted, countKnown, isWhole } from "@/lib/text/page";

type PaginationProps = {
  page: number;
  /** Null when unknown. */
  totalPages: number | null;
  total?: number;
  /** Where the list comes from the provider: its total is a minimum until it was read whole, as on its tabs. */
  counted?: Counted;
  hasNext?: boolean;
  hrefOf: (page: number) => string;
};

/** First and last stay in place. The position is printed too, so that a page does not look like the whole. */
export function Pagination({
  page,
  totalPages,
  total,
  counted,
  hasNext = page < (totalPages ?? 0),
  hrefOf,
}: PaginationProps) {
  const t = useTranslations("paging");
  const locale = useLocale();
  return (
    <nav
      data-paper
      aria-label={t("label")}
      className="flex h-12 items-center gap-2 px-5 text-sm text-muted tabular-nums"
    >
      <span className="flex-1">{total === undefined ? null : <Total total={total} counted={counted} />}</span>
      {page > 1 || hasNext ? (
        <>
          <span>
            {totalPages === null
              ? t("positionAlone", { page: formatCount(page, locale) })
              : t("position", { page: formatCount(page, locale), totalPages: formatCount(totalPages, locale) })}
          </span>
          <Step label={t("previous")} href={page > 1 ? hrefOf(page - 1) : undefined} />
          <Step label={t("next")} href={hasNext ? hrefOf(page + 1) : undefined} />
        </>
      ) : null}
    </nav>
  );
}

function Total({ total, counted }: { total: number; counted: Counted | undefined }) {
  const t = useTranslations("paging");
  const locale = useLocale();
  if (counted === undefined || isWhole(counted)) return t("total", { total });
  return t("totalSoFar", { total, shown: countKnown(formatCount(total, locale), total, counted) ?? "" });
}

function Step({ label, href }: { label: string; href: string | undefined }) {
  const t = useTranslations("common");
  if (!href) {
    return (
      <span aria-disabled title={t("noMore")} className={cn("print:hidden", buttonClass("plain", "small"))}>
        {label}
      </span>
    );
  }
  return (
    <Link href={href} prefetch={false} className={cn("print:hidden", buttonClass("plain", "small"))}>
      {label}
    </Link>
  );
}
