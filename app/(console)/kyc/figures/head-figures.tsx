import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import type { FigureDays } from "@/lib/figure-days";
import { formatCount, formatShare } from "@/lib/format";
import type { Figures } from "@/lib/kyc/queries";
import { countKnown } from "@/lib/page";
import { useLength } from "./length";

/** The few numbers that a lead looks at first; those that are cases lead to them. */
export function HeadFigures({ figures, days }: { figures: Figures; days: FigureDays }) {
  const t = useTranslations("kycFigures");
  const locale = useLocale();
  const length = useLength();
  const { open, waiting, due, late, medianAgeMs, decided, dueSoonHours } = figures;
  const none = t("length.none");
  /** Of what the provider lists; what was decided here is ours to know. */
  const listed = (value: number) => countKnown(formatCount(value, locale), value, figures) ?? none;
  return (
    <section aria-label={t("now")}>
      <dl className="grid grid-cols-2 gap-px border-t border-line bg-line sm:grid-cols-4">
        <Figure name={t("open")} href="/kyc?view=all" value={listed(open)} note={t("openNote")} />
        <Figure name={t("waiting")} href="/kyc?status=PENDING" value={listed(waiting)} note={t("waitingNote")} />
        <Figure
          name={t("due")}
          href="/kyc?status=PENDING&due=soon"
          value={listed(due)}
          note={t("dueNote", { hours: dueSoonHours })}
        />
        <Figure
          name={t("late")}
          href="/kyc?status=PENDING&due=late"
          value={listed(late)}
          note={late === 0 ? (figures.asOf === null ? null : t("noneLate")) : t("lateNote")}
          isBad={late > 0}
        />
        <Figure name={t("medianAge")} value={length(medianAgeMs)} note={t("medianAgeNote")} />
        <Figure name={t("medianDecision")} value={length(decided.medianMs)} note={t("inDays", { count: days })} />
        <Figure
          name={t("inTime")}
          value={decided.total === 0 ? none : formatShare(decided.inTime, decided.total, locale)}
          note={t("inTimeNote", { inTime: decided.inTime, total: decided.total })}
        />
        <Figure name={t("decided")} value={formatCount(decided.total, locale)} note={t("inDays", { count: days })} />
      </dl>
    </section>
  );
}

type FigureProps = { name: string; value: string; note: string | null; href?: string; isBad?: boolean };

function Figure({ name, value, note, href, isBad = false }: FigureProps): ReactNode {
  return (
    <div className="relative bg-surface px-5 py-3 has-[a]:hover:bg-hover">
      <dt className="text-sm text-muted">
        {href === undefined ? (
          name
        ) : (
          <Link href={href} prefetch={false} className="after:absolute after:inset-0">
            {name}
          </Link>
        )}
      </dt>
      <dd>
        <span className={cn("block text-xl font-semibold tabular-nums", isBad && "text-negative")}>{value}</span>
        <span className="text-sm text-muted">{note}</span>
      </dd>
    </div>
  );
}
