import { useLocale, useTranslations } from "next-intl";
import { RecordSection } from "@/components/record-columns";
import { formatDate, type Locale } from "@/lib/format";
import type { DayFigures } from "@/lib/kyc/queries";
import { AsTable } from "./as-table";

/** So many days have room for a number each. */
const MOST_NUMBERED = 14;
const HEIGHT = 100;
const GAP = 0.16;

const totalOf = ({ approved, reproved }: DayFigures) => approved + reproved;
/** Noon is that day in São Paulo, too. */
const dayText = (day: string, locale: Locale) => formatDate(`${day}T12:00:00-03:00`, locale);

function bestOf(days: readonly DayFigures[]): DayFigures | undefined {
  return days.toSorted((one, other) => totalOf(other) - totalOf(one))[0];
}

/** Decisions day by day: what was approved filled below, what was reproved outlined above it. */
export function DayChart({ days }: { days: readonly DayFigures[] }) {
  const t = useTranslations("kycFigures");
  const locale = useLocale();
  const best = bestOf(days);
  const most = best === undefined ? 0 : totalOf(best);
  const approved = days.reduce((sum, day) => sum + day.approved, 0);
  const reproved = days.reduce((sum, day) => sum + day.reproved, 0);
  return (
    <RecordSection id="per-day" title={t("perDay")}>
      <div className="px-5">
        <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
          <li className="flex items-center gap-1.5">
            <Swatch className="fill-positive" />
            {t("approvedCount", { count: approved })}
          </li>
          <li className="flex items-center gap-1.5">
            <Swatch className="fill-negative-tint stroke-negative" />
            {t("reprovedCount", { count: reproved })}
          </li>
        </ul>
        {best === undefined || most === 0 ? (
          <p className="py-6 text-muted">{t("noDecisions")}</p>
        ) : (
          <figure>
            <figcaption className="pt-3 pb-1 text-sm text-muted">
              {t("best", { count: most, day: dayText(best.day, locale) })}
            </figcaption>
            <Bars days={days} most={most} label={t("perDayChart", { approved, reproved, count: days.length })} />
            <DayMarks days={days} />
            <AsTable
              caption={t("perDay")}
              head={[t("day"), t("approved"), t("reproved")]}
              rows={days.map((day) => [dayText(day.day, locale), day.approved, day.reproved])}
            />
          </figure>
        )}
      </div>
    </RecordSection>
  );
}

function Swatch({ className }: { className: string }) {
  return (
    <svg aria-hidden viewBox="0 0 12 12" className="size-3">
      <rect x="1" y="1" width="10" height="10" strokeWidth="1.5" className={className} />
    </svg>
  );
}

type BarsProps = { days: readonly DayFigures[]; most: number; label: string };

function Bars({ days, most, label }: BarsProps) {
  const high = (count: number) => (count / most) * (HEIGHT - 2);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${days.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-40 w-full border-b border-line-strong"
    >
      {days.map(({ day, approved, reproved }, place) => (
        <g key={day}>
          <rect
            x={place + GAP}
            width={1 - 2 * GAP}
            y={HEIGHT - high(approved)}
            height={high(approved)}
            className="fill-positive"
          />
          {reproved === 0 ? null : (
            <rect
              x={place + GAP}
              width={1 - 2 * GAP}
              y={HEIGHT - high(approved + reproved)}
              height={high(reproved)}
              vectorEffect="non-scaling-stroke"
              strokeWidth="1.5"
              className="fill-negative-tint stroke-negative"
            />
          )}
        </g>
      ))}
    </svg>
  );
}

/** Under the bars: each day's number where there is room, and the days at both ends. */
function DayMarks({ days }: { days: readonly DayFigures[] }) {
  const locale = useLocale();
  const [first, last] = [days[0], days.at(-1)];
  return (
    <div aria-hidden className="text-xs text-muted tabular-nums">
      {days.length > MOST_NUMBERED ? null : (
        <ol className="grid grid-cols-[repeat(14,minmax(0,1fr))] pt-1 text-center">
          {days.map((day) => (
            <li key={day.day}>{totalOf(day) === 0 ? "·" : totalOf(day)}</li>
          ))}
        </ol>
      )}
      <p className="flex justify-between pt-1">
        <span>{first ? dayText(first.day, locale) : null}</span>
        <span>{last ? dayText(last.day, locale) : null}</span>
      </p>
    </div>
  );
}
