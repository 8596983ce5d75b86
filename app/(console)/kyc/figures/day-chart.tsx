import { useLocale, useTranslations } from "next-intl";
import { RecordSection } from "@/components/layout/record-columns";
import { BarList } from "@/components/table/bar-list";
import type { DayFigures, Figures } from "@/lib/kyc/queries";
import { formatCount, formatDate, type Locale } from "@/lib/text/format";

/** Hours from which a bar warns. */
const OLD_HOURS = 72;

export function AgeChart({ ages, open }: Pick<Figures, "ages" | "open">) {
  const t = useTranslations("kycFigures");
  const locale = useLocale();
  return (
    <RecordSection id="ages" title={t("ages")}>
      <BarList
        rows={ages.map(({ fromHours, open: count }) => ({
          id: String(fromHours),
          name: t(`age.${fromHours}`),
          count,
          shown: formatCount(count, locale),
          tone: fromHours >= OLD_HOURS ? "fill-warning" : "fill-accent",
        }))}
      />
      <p className="px-5 pt-2 text-sm text-muted">{t("agesNote", { count: open })}</p>
    </RecordSection>
  );
}

type AsTableProps = { caption: string; head: readonly string[]; rows: readonly (readonly [string, ...number[]])[] };

function AsTable({ caption, head, rows }: AsTableProps) {
  const t = useTranslations("kycFigures");
  return (
    <details className="pt-3 text-sm">
      <summary className="w-fit text-muted hover:text-ink">{t("asTable")}</summary>
      <table className="ledger mt-2" aria-label={caption}>
        <thead>
          <tr>
            {head.map((name, index) => (
              <th key={name} scope="col" data-align={index === 0 ? undefined : "end"}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...counts]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {counts.map((count, index) => (
                <td key={head[index + 1]} data-align="end">
                  {count}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const MOST_NUMBERED = 14;
const HEIGHT = 100;
const GAP = 0.16;

const totalOf = ({ approved, reproved }: DayFigures) => approved + reproved;
/** Noon in São Paulo is on that day in every zone used here. */
const dayText = (day: string, locale: Locale) => formatDate(`${day}T12:00:00-03:00`, locale);

function bestOf(days: readonly DayFigures[]): DayFigures | undefined {
  return days.toSorted((one, other) => totalOf(other) - totalOf(one))[0];
}

/** Approved filled below, rejected outlined above. */
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
      {days.map(({ day, approved, reproved }, index) => (
        <g key={day}>
          <rect
            x={index + GAP}
            width={1 - 2 * GAP}
            y={HEIGHT - high(approved)}
            height={high(approved)}
            className="fill-positive"
          />
          {reproved === 0 ? null : (
            <rect
              x={index + GAP}
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
