import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { SumAmount, useSumName } from "@/app/(console)/position/position-words";
import type { Position } from "@/lib/position/queries";
import { idOfSum } from "@/lib/position/view";
import { formatDate } from "@/lib/text/format";

const MAX_SUMS = 8;

export function PositionPicture({ position }: { position: Position }) {
  const t = useTranslations("position");
  const locale = useLocale();
  const nameOf = useSumName();
  const { sums, day, round } = position;
  const shown = sums.filter(({ amount, unread }) => amount !== null || unread > 0).slice(0, MAX_SUMS);
  return (
    <section aria-labelledby="home-position" className="min-w-0 border-b border-line pb-4">
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 px-5">
        <h2 id="home-position" className="text-sm font-medium text-muted">
          <Link href="/position" prefetch={false}>
            {t("title")}
          </Link>
        </h2>
        {round === null ? null : <span className="text-sm text-muted">{formatDate(day, locale)}</span>}
      </div>
      {shown.length === 0 ? (
        <p className="px-5 text-faint">{t("neverRead")}</p>
      ) : (
        <dl className="grid gap-x-8 gap-y-3 px-5 sm:grid-cols-2 xl:grid-cols-4">
          {shown.map((sum) => (
            <div key={idOfSum(sum)}>
              <dt className="text-sm text-muted">
                {t(`kinds.${sum.kind}`)} · {nameOf(sum)}
              </dt>
              <dd className="font-medium tabular-nums wrap-anywhere">
                {sum.amount === null ? t("unknown") : <SumAmount sum={sum} decimal={sum.amount} />}
                {sum.unread === 0 ? null : (
                  <span className="block text-sm font-normal text-warning">{t("unread", { count: sum.unread })}</span>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
