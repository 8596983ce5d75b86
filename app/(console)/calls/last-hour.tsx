import { useLocale, useTranslations } from "next-intl";
import type { LastHour } from "@/lib/calls/queries";
import { cn } from "@/lib/cn";
import { formatCount, formatDuration, formatShare } from "@/lib/format";

/** The last sixty minutes in four numbers. */
export function LastHourFigures({ lastHour }: { lastHour: LastHour }) {
  const t = useTranslations("calls");
  const locale = useLocale();
  const { calls, failed, medianMs, p95Ms } = lastHour;
  const duration = (ms: number | null) => (ms === null ? "–" : formatDuration(ms, locale));
  const figures = [
    { name: t("hourCalls"), value: formatCount(calls, locale), note: null },
    {
      name: t("hourFailed"),
      value: formatShare(failed, calls, locale),
      note: failed === 0 ? null : formatCount(failed, locale),
    },
    { name: t("hourMedian"), value: duration(medianMs), note: null },
    { name: t("hourP95"), value: duration(p95Ms), note: null },
  ];
  return (
    <section aria-labelledby="last-hour" className="border-y border-line px-5 py-3">
      <h2 id="last-hour" className="sr-only">
        {t("lastHour")}
      </h2>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:flex sm:gap-x-12">
        {figures.map(({ name, value, note }, index) => (
          <div key={name}>
            <dt className="text-sm text-muted">
              {index === 0 ? `${name} · ${t("lastHour").toLocaleLowerCase(locale)}` : name}
            </dt>
            <dd className="text-lg font-semibold tabular-nums">
              {value}
              {note === null ? null : <span className={cn("ml-2 text-sm font-normal text-muted")}>{note}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
