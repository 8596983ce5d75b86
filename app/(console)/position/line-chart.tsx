import { useLocale, useTranslations } from "next-intl";
import { Fold } from "@/components/ui/fold";
import { LINE_DAYS, type LinePoint } from "@/lib/position/view";
import { formatCount, formatDate } from "@/lib/text/format";
import { daysUntil } from "@/lib/text/time";
import { type Drawn, SumAmount } from "./sum-amount";
import { SumPlot } from "./sum-plot";

/** `last`: the day of the page. `otherDays`: what is said of the amount of any other. */
type LineChartProps = {
  sum: Drawn;
  points: readonly LinePoint[];
  name: string;
  last: string;
  otherDays?: string | null;
};

export function LineChart({ sum, points, name, last, otherDays = null }: LineChartProps) {
  const t = useTranslations("position.line");
  const locale = useLocale();
  const [first] = points;
  const until = formatDate(last, locale);
  if (first === undefined) return <p className="px-5 text-muted">{t("none", { day: until })}</p>;
  const label = t("label", { name, count: points.length, day: until });
  const partly = points.filter(({ unread }) => unread > 0).length;
  return (
    <figure className="px-5">
      <SumPlot
        key={last}
        sum={sum}
        name={label}
        days={daysUntil(LINE_DAYS, last).filter((day) => day >= first.day)}
        points={points}
        otherDays={otherDays}
      />
      {partly === 0 ? null : <p className="pt-1 text-sm text-warning">{t("inPart", { count: partly })}</p>}
      <Fold summary={t("asTable")} className="pt-1 text-sm">
        <table className="ledger mt-2" aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{t("day")}</th>
              <th scope="col" data-align="end">
                {otherDays === null ? t("amount") : t("amountAtRates", { day: until })}
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
      </Fold>
    </figure>
  );
}
