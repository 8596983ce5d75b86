import { useLocale, useTranslations } from "next-intl";
import { RecordSection } from "@/components/record-columns";
import { cn } from "@/lib/cn";
import { formatCount } from "@/lib/format";
import type { Figures } from "@/lib/kyc/queries";

/** From so many hours on a bar warns. */
const OLD_HOURS = 72;

/** How long the open cases have been here, each class with its number beside its bar. */
export function AgeChart({ ages, open }: Pick<Figures, "ages" | "open">) {
  const t = useTranslations("kycFigures");
  const locale = useLocale();
  const most = Math.max(1, ...ages.map((age) => age.open));
  return (
    <RecordSection id="ages" title={t("ages")}>
      <ul className="grid grid-cols-[max-content_minmax(0,1fr)_max-content] items-center gap-x-3.5 gap-y-2.5 px-5">
        {ages.map(({ fromHours, open: count }) => (
          <li key={fromHours} className="contents">
            <span>{t(`age.${fromHours}`)}</span>
            <svg aria-hidden viewBox="0 0 100 1" preserveAspectRatio="none" className="h-4 w-full">
              <rect
                width={(count / most) * 100}
                height="1"
                className={cn(fromHours >= OLD_HOURS ? "fill-warning" : "fill-accent")}
              />
            </svg>
            <span className="text-end tabular-nums">{formatCount(count, locale)}</span>
          </li>
        ))}
      </ul>
      <p className="px-5 pt-2 text-sm text-muted">{t("agesNote", { count: open })}</p>
    </RecordSection>
  );
}
