import { useLocale, useTranslations } from "next-intl";
import type { Position } from "@/lib/position/queries";
import { endingWith, figuresOf, groupWord, type GroupSeries, type PositionGroup } from "@/lib/position/view";
import { formatDate } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { LineChart } from "./line-chart";

type GroupLineProps = {
  group: PositionGroup;
  position: Pick<Position, "day" | "tellsOwn" | "sums">;
  line: GroupSeries;
};

export function GroupLine({ group, position, line }: GroupLineProps) {
  const t = useTranslations("position");
  const locale = useLocale();
  const name = t("figures.line", { group: t(`groups.${groupWord(group, position)}`) });
  const { unrated, isRated } = line;
  const figure = figuresOf(position.sums).find((one) => one.group === group) ?? null;
  const points = endingWith(line.points, { day: position.day, figure });
  const day = formatDate(position.day, locale);
  return (
    <section aria-labelledby="position-group-line" className="pt-4 pb-5">
      <h2 id="position-group-line" className="px-5 pb-1 text-sm font-medium text-muted">
        {name}
      </h2>
      {points.length === 0 ? (
        <p className="px-5 text-muted">{t("figures.noLine")}</p>
      ) : (
        <LineChart
          sum={{ kind: "account", asset: "BRL" }}
          points={points}
          name={name}
          last={position.day}
          otherDays={isRated ? t("figures.otherDays", { day }) : null}
        />
      )}
      {points.length === 0 ? null : (
        <p className="px-5 pt-1 text-sm wrap-anywhere text-muted">
          {isRated ? `${t("figures.atRates", { day })} ` : null}
          {unrated.length === 0
            ? null
            : t("figures.lineWithout", { day, assets: unrated.map(providerText).join(", ") })}
        </p>
      )}
    </section>
  );
}
