import { useLocale, useTranslations } from "next-intl";
import type { LinePoint } from "@/lib/position/view";
import type { SumKey } from "@/lib/db/enums/position";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { formatCount, formatDate } from "@/lib/text/format";
import { lastDays } from "@/lib/text/time";
import { SumAmount } from "./position-words";

const DAYS = 90;
const HEIGHT = 100;
const STEPS = 10_000n;

/** Where each amount stands between the lowest, which is 0 or less, and the highest: 0 to 1. */
export function heightsOf(amounts: readonly string[]): number[] {
  const scale = scaleOf(amounts);
  const low = unitsOf(scale.low);
  const span = unitsOf(scale.high) - low;
  return amounts.map(unitsOf).map((one) => (span === 0n ? 0 : Number(((one - low) * STEPS) / span) / Number(STEPS)));
}

const isWhole = ({ unread }: LinePoint) => unread === 0;

/** What the foot and the top of the line stand for. */
export function scaleOf(amounts: readonly string[]): { low: string; high: string } {
  const units = [0n, ...amounts.map(unitsOf)];
  const low = units.reduce((least, one) => (one < least ? one : least));
  const high = units.reduce((most, one) => (one > most ? one : most));
  return { low: decimalOf(low), high: decimalOf(high) };
}

/** Days that were not read, or in part, part the line. */
export function pathOf(listed: readonly LinePoint[], days: readonly string[]): string {
  const points = listed.filter(isWhole);
  const heights = heightsOf(points.map(({ amount }) => amount));
  const shown = points.flatMap(({ day }, nth) => {
    const x = days.indexOf(day);
    return x < 0 ? [] : [{ x, y: HEIGHT - (heights[nth] ?? 0) * HEIGHT }];
  });
  return shown.map(({ x, y }, nth) => `${shown[nth - 1]?.x === x - 1 ? "L" : "M"}${x} ${y}h0`).join("");
}

/** At the foot, where no amount is read off: the sum of such a day lacks something. */
export const marksOf = (points: readonly LinePoint[], days: readonly string[]): string =>
  points
    .flatMap((point) =>
      isWhole(point) || !days.includes(point.day) ? [] : [`M${days.indexOf(point.day)} ${HEIGHT}h0`],
    )
    .join("");

type LineChartProps = { sum: SumKey; points: readonly LinePoint[]; name: string };

export function LineChart({ sum, points, name }: LineChartProps) {
  const t = useTranslations("position.line");
  const locale = useLocale();
  const [first] = points;
  if (first === undefined) return <p className="px-5 text-muted">{t("none")}</p>;
  const days = lastDays(DAYS).filter((day) => day >= first.day);
  const ends = new Set([days.at(0), days.at(-1)]);
  const label = t("label", { name, count: points.length });
  const { low, high } = scaleOf(points.filter(isWhole).map(({ amount }) => amount));
  return (
    <figure className="px-5">
      {high === low ? null : (
        <p className="border-b border-dashed border-line pb-1 text-xs text-muted tabular-nums">
          <SumAmount sum={sum} decimal={high} />
        </p>
      )}
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 -4 ${Math.max(days.length - 1, 1)} ${HEIGHT + 8}`}
        preserveAspectRatio="none"
        className="h-40 w-full overflow-visible border-b border-line-strong"
      >
        <path
          d={pathOf(points, days)}
          vectorEffect="non-scaling-stroke"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="fill-none stroke-accent"
        />
        <path
          d={marksOf(points, days)}
          vectorEffect="non-scaling-stroke"
          strokeWidth="6"
          strokeLinecap="round"
          className="fill-none stroke-warning"
        />
      </svg>
      <p className="pt-1 text-xs text-muted tabular-nums">
        <SumAmount sum={sum} decimal={low} />
      </p>
      <p aria-hidden className="flex justify-between pt-1 text-xs text-muted tabular-nums">
        {[...ends].map((day = "") => (
          <span key={day}>{formatDate(day, locale)}</span>
        ))}
      </p>
      {points.every(isWhole) ? null : (
        <p className="pt-1 text-sm text-warning">
          {t("inPart", { count: points.filter((point) => !isWhole(point)).length })}
        </p>
      )}
      <details className="pt-1 text-sm">
        <summary className="w-fit text-muted hover:text-ink">{t("asTable")}</summary>
        <table className="ledger mt-2" aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{t("day")}</th>
              <th scope="col" data-align="end">
                {t("amount")}
              </th>
              <th scope="col" data-align="end">
                {t("unread")}
              </th>
            </tr>
          </thead>
          <tbody>
            {points.toReversed().map(({ day, amount, unread }) => (
              <tr key={day}>
                <th scope="row">{formatDate(day, locale)}</th>
                <td data-align="end">
                  <SumAmount sum={sum} decimal={amount} />
                </td>
                <td data-align="end">{formatCount(unread, locale)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
