import { useLocale, useTranslations } from "next-intl";
import type { LinePoint } from "@/lib/position/view";
import { formatCount, formatDate } from "@/lib/text/format";
import { lastDays } from "@/lib/text/time";
import { ChartPlot, type Drawn } from "./chart-plot";
import { SumAmount } from "./sum-amount";

const DAYS = 90;

type LineChartProps = { sum: Drawn; points: readonly LinePoint[]; name: string };

export function LineChart({ sum, points, name }: LineChartProps) {
  const t = useTranslations("position.line");
  const locale = useLocale();
  const [first] = points;
  if (first === undefined) return <p className="px-5 text-muted">{t("none")}</p>;
  const label = t("label", { name, count: points.length });
  const partly = points.filter(({ unread }) => unread > 0).length;
  return (
    <figure className="px-5">
      <ChartPlot sum={sum} name={label} days={lastDays(DAYS).filter((day) => day >= first.day)} points={points} />
      {partly === 0 ? null : <p className="pt-1 text-sm text-warning">{t("inPart", { count: partly })}</p>}
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
