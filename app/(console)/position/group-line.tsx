import { useLocale, useTranslations } from "next-intl";
import { isInReais } from "@/lib/db/enums/position";
import type { Position } from "@/lib/position/queries";
import { groupWord, type LinePoint, type PositionGroup } from "@/lib/position/view";
import { formatDate } from "@/lib/text/format";
import { LineChart } from "./line-chart";

type GroupLineProps = {
  group: PositionGroup;
  position: Pick<Position, "day" | "tellsOwn" | "sums">;
  line: readonly LinePoint[];
};

export function GroupLine({ group, position, line }: GroupLineProps) {
  const t = useTranslations("position");
  const locale = useLocale();
  const name = t("figures.line", { group: t(`groups.${groupWord(group, position)}`) });
  const hasRates = position.sums.some(({ kind, rate }) => !isInReais(kind) && rate !== null);
  return (
    <section aria-labelledby="position-group-line" className="pt-4 pb-5">
      <h2 id="position-group-line" className="px-5 pb-1 text-sm font-medium text-muted">
        {name}
      </h2>
      {line.length === 0 ? (
        <p className="px-5 text-muted">{t("figures.noLine")}</p>
      ) : (
        <LineChart sum={{ kind: "account", asset: "BRL" }} points={line} name={name} />
      )}
      {hasRates && line.length > 0 ? (
        <p className="px-5 pt-1 text-sm text-muted">
          {t("figures.atRates", { day: formatDate(position.day, locale) })}
        </p>
      ) : null}
    </section>
  );
}
