import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { Amount } from "@/components/layout/amount";
import { cn } from "@/components/ui/cn";
import type { Position } from "@/lib/position/queries";
import { figuresOf, type GroupFigure, groupWord, type PositionGroup } from "@/lib/position/view";
import { formatBrl, formatPerMille, isZero, plusOf } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { useMoment } from "./position-words";

type FiguresProps = {
  position: Position;
  chosen: PositionGroup | null;
  hrefOf: (group: PositionGroup) => string;
  isBeside?: boolean;
};

/** Own money, that of customers and what has no use, each in one figure that leads to its line. */
export function Figures({ position, chosen, hrefOf, isBeside = false }: FiguresProps) {
  const t = useTranslations("position");
  const figures = figuresOf(position.sums);
  return (
    <ul
      aria-label={t("figures.title")}
      className={cn(
        "grid border-y border-line @medium:auto-cols-fr @medium:grid-flow-col @medium:divide-x @medium:divide-line",
        isBeside && "sticky top-0 z-5 bg-surface",
      )}
    >
      {figures.map((figure) => {
        const isChosen = figure.group === chosen;
        const name = t(`groups.${groupWord(figure.group, position)}`);
        return (
          <li
            key={figure.group}
            className={cn(
              "relative min-w-0 border-b-2 px-5 hover:bg-hover",
              isBeside ? "py-2.5 [&_p.text-sm]:line-clamp-2" : "py-4",
              isChosen ? "border-b-accent" : "border-b-transparent @max-medium:not-last:border-b-line",
            )}
          >
            <h2 className="text-sm font-medium text-muted">
              <Link
                href={hrefOf(figure.group)}
                scroll={false}
                prefetch={false}
                aria-current={isChosen || undefined}
                title={t("figures.showLine", { group: name })}
                className="after:absolute after:inset-0 aria-[current]:text-ink"
              >
                {name}
              </Link>
            </h2>
            <Figure figure={figure} position={position} isBeside={isBeside} />
          </li>
        );
      })}
    </ul>
  );
}

function Figure({
  figure: { amount, unread, unrated },
  figure,
  position,
  isBeside,
}: {
  figure: GroupFigure;
  position: Position;
  isBeside: boolean;
}) {
  const t = useTranslations("position");
  const locale = useLocale();
  const without = t("figures.without", { assets: unrated.map(providerText).join(", ") });
  return (
    <>
      <p className={cn("font-semibold tracking-tight tabular-nums", isBeside ? "text-xl" : "pt-1 text-2xl")}>
        {amount === null ? (
          <span className="text-md font-normal tracking-normal text-muted">
            {unread === 0 ? t("figures.noValue") : t("neverRead")}
          </span>
        ) : (
          <Amount number={formatBrl(amount, locale)} />
        )}
      </p>
      {amount === null || position.against === null ? null : <Change figure={figure} position={position} />}
      {unread === 0 ? null : <p className="text-sm text-warning">{t("unread", { count: unread })}</p>}
      {unrated.length === 0 ? null : (
        <p title={without} className="text-sm wrap-anywhere text-muted">
          {without}
        </p>
      )}
    </>
  );
}

const toneOf = (difference: string) => (difference.startsWith("-") ? "text-negative" : "text-positive");

function Change({ figure: { difference, perMille }, position }: { figure: GroupFigure; position: Position }) {
  const t = useTranslations("position");
  const locale = useLocale();
  const momentOf = useMoment();
  const { day, against, againstMoment } = position;
  if (against === null) return null;
  if (difference === null) return <p className="text-sm text-muted">{t("figures.noChange")}</p>;
  const since = momentOf(against, againstMoment);
  const unchanged = t("figures.unchanged", { day: since });
  if (isZero(difference))
    return (
      <p title={unchanged} className="text-sm text-muted">
        {unchanged}
      </p>
    );
  const compared = against > day ? t("columns.from", { day: since }) : t("figures.change", { day: since });
  return (
    <p title={compared} className="text-sm tabular-nums">
      <span className={cn("font-medium", toneOf(difference))}>
        <Amount number={`${plusOf(difference)}${formatBrl(difference, locale)}`} />
        {perMille === null ? null : ` (${formatPerMille(perMille, locale)})`}
      </span>{" "}
      <span className="text-muted">{compared}</span>
    </p>
  );
}
