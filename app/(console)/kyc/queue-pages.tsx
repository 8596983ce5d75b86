import { useLocale, useTranslations } from "next-intl";
import { StepLinks } from "@/components/step-links";
import { formatCount } from "@/lib/format";
import type { KycQueue } from "@/lib/kyc/queries";
import type { KycFilter } from "@/lib/kyc/rules";
import { queueHref } from "@/lib/kyc-view";

type QueuePagesProps = Pick<KycQueue, "total" | "readSoFar" | "previous" | "next"> & { filter: KycFilter };

/** How many cases fit, and the ways to the pages beside this one; the ends stay in place, marked as such. */
export function QueuePages({ filter, total, readSoFar, previous, next }: QueuePagesProps) {
  const t = useTranslations("kycQueue");
  const locale = useLocale();
  const { cases: count, isExact } = total;
  const exactly = readSoFar === null ? t("total", { exact: "yes", count }) : t("totalSoFar", { count });
  const steps = [
    { label: t("first"), href: previous && queueHref(filter) },
    { label: t("previous"), href: previous && queueHref(filter, { before: previous }) },
    { label: t("next"), href: next && queueHref(filter, { after: next }) },
  ];
  return (
    <nav aria-label={t("pages")} className="flex h-12 items-center gap-2 px-5 text-sm text-muted tabular-nums">
      <span className="flex-1">
        {isExact ? exactly : t("total", { exact: "no", count: formatCount(count, locale) })}
      </span>
      {previous === null && next === null ? null : <StepLinks steps={steps} />}
    </nav>
  );
}
