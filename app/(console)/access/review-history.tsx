import { useLocale, useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import type { AccessReviewView } from "@/lib/staff/queries";
import { formatDate, formatDateTime } from "@/lib/text/format";

export function ReviewStanding({ review: { reviews, isLate } }: { review: AccessReviewView }) {
  const t = useTranslations("access");
  const locale = useLocale();
  const [last] = reviews;
  if (last === undefined) return <p className="border-t border-line px-5 py-3 text-muted">{t("never")}</p>;
  const said = t("standing", { name: last.byName, time: formatDateTime(last.at, locale) });
  const day = formatDate(last.nextOn, locale);
  return (
    <div className="border-t border-line px-5 py-3 tabular-nums">
      <p>
        {said} {isLate ? null : t("next", { day })}
      </p>
      {isLate ? (
        <Notice tone="warning" className="mt-2">
          {t("late", { day })}
        </Notice>
      ) : null}
    </div>
  );
}

export function ReviewHistory({ reviews }: Pick<AccessReviewView, "reviews">) {
  const t = useTranslations("access");
  const locale = useLocale();
  return (
    <section aria-labelledby="access-reviews" className="px-5 py-5">
      <h2 id="access-reviews" className="font-semibold">
        {t("history")}
      </h2>
      {reviews.length === 0 ? <p className="mt-1 text-muted">{t("noHistory")}</p> : null}
      <ol className="mt-2 max-w-3xl divide-y divide-line">
        {reviews.map(({ id, byName, at, people, nextOn, note }) => (
          <li key={id} className="py-2.5">
            <p className="flex flex-wrap items-baseline gap-x-3 tabular-nums">
              <bdi className="font-medium">{byName}</bdi>
              <span className="text-sm text-muted">
                {formatDateTime(at, locale)} · {t("peopleCount", { count: people })} ·{" "}
                {t("next", { day: formatDate(nextOn, locale) })}
              </span>
            </p>
            <p className="mt-0.5 wrap-anywhere whitespace-pre-line">{note ?? t("unreadNote")}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
