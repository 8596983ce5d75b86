"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { Fragment } from "react";
import { dayMarks } from "@/components/table/day-marks";
import { FLOW_TONES } from "@/components/table/pair-chart";
import { TabledChart } from "@/components/table/pair-table";
import { Fold } from "@/components/ui/fold";
import { NarrowFold } from "@/components/ui/narrow-fold";
import type { MovementFilter } from "@/lib/movements/inputs";
import type { Coin } from "@/lib/db/enums/movements";
import {
  type AssetSum,
  type DayBar,
  wholenessOf,
  holdsBothSides,
  type MovementSummary,
  outsideOf,
  type TypeSum,
} from "@/lib/movements/view";
import { unitsOf } from "@/lib/text/decimal";
import {
  formatBrl,
  formatCount,
  formatCrypto,
  formatDate,
  formatDateTime,
  formatShort,
  isZero,
} from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { daysBetween, daysUntil } from "@/lib/text/time";
import { hrefOf } from "./movement-list";
import { AssetSumText, kindOf, useAssetName, useTypeName } from "./movement-words";

const daysOf = (from: string, to: string): string[] => daysUntil(daysBetween(from, to) + 1, to);

type ChartProps = { drawn: AssetSum; days: readonly DayBar[]; period: { from: string; to: string } };

function DayChart({ drawn: { coin }, days, period }: ChartProps) {
  const t = useTranslations("movements");
  const locale = useLocale();
  const assetName = useAssetName();
  const all = daysOf(period.from, period.to);
  const label = t("chart", { asset: assetName(coin) });
  const kind = kindOf(coin);
  const hasOwn = days.some(({ own }) => !isZero(own.in) || !isZero(own.out));
  return (
    <div className="min-w-0 flex-1 basis-96">
      <NarrowFold summary={t("chartFold")} below="widest" className="mt-1">
        <TabledChart
          label={label}
          caption={label}
          legend={[t("fromTo.in"), t("fromTo.out")]}
          head={[t("day"), t("fromTo.in"), t("fromTo.out")]}
          beside={hasOwn ? [t("ownIn", { kind }), t("ownOut", { kind })] : undefined}
          asTable={t("chartTable")}
          names={all.map((day) => formatDate(day, locale))}
          pairs={days.map((one) => {
            const outside = outsideOf(one);
            const { own } = one;
            return { at: all.indexOf(one.day), up: outside.in, down: outside.out, beside: [own.in, own.out] };
          })}
          marks={dayMarks(all, locale)}
          tones={FLOW_TONES}
          renderAmount={(decimal) => <AssetSumText decimal={decimal} coin={coin} />}
          say={(decimal) => (coin === undefined ? formatBrl(decimal, locale) : formatCrypto(decimal, locale))}
          shorten={(decimal) => formatShort(decimal, locale, coin === undefined)}
        />
      </NarrowFold>
    </div>
  );
}

const SHOWN_ASSETS = 4;

type OwnProps = { own: AssetSum["own"]; coin: Coin | undefined; areBothMeant?: boolean };

/** Both sides of what moved between own wallets or accounts where both are meant to be, else what there is of them. */
function OwnSides({ own, coin, areBothMeant = false }: OwnProps) {
  const t = useTranslations("movements");
  if (isZero(own.in) && isZero(own.out)) return null;
  const sides = (["in", "out"] as const).filter((side) => areBothMeant || !isZero(own[side]));
  const differ = areBothMeant && unitsOf(own.in) !== unitsOf(own.out);
  return (
    <p className="text-sm text-muted tabular-nums">
      {`${t("list.own", { kind: kindOf(coin) })}: `}
      {sides.map((side, nth) => (
        <Fragment key={side}>
          {nth === 0 ? null : " · "}
          {t(side)} <AssetSumText decimal={own[side]} coin={coin} />
        </Fragment>
      ))}
      {differ ? <span className="block text-warning">{t("ownDiffers")}</span> : null}
    </p>
  );
}

function TypeSides({ sum, coin }: { sum: TypeSum; coin: Coin | undefined }) {
  const t = useTranslations("movements");
  const outside = outsideOf(sum);
  return (
    <span className="text-end">
      {t("in")} <AssetSumText decimal={outside.in} coin={coin} /> · {t("out")}{" "}
      <AssetSumText decimal={outside.out} coin={coin} />
      <OwnSides own={sum.own} coin={coin} />
    </span>
  );
}

const summed = (decimal: string) => <AssetSumText decimal={decimal} coin={undefined} />;

type LineProps = { one: AssetSum; summary: MovementSummary; filter: MovementFilter };

function AssetLine({ one, summary: { returned, perhapsOwn }, filter }: LineProps) {
  const t = useTranslations("movements");
  const assetName = useAssetName();
  const typeName = useTypeName();
  const locale = useLocale();
  const { coin, count, unsigned, types, own } = one;
  const outside = outsideOf(one);
  return (
    <div className="border-t border-line py-2">
      <p className="flex flex-wrap justify-between gap-x-4 text-sm text-muted">
        <Link
          href={hrefOf(filter, { asset: one.key })}
          prefetch={false}
          scroll={false}
          className="font-medium text-ink hover:underline"
        >
          {assetName(coin)}
        </Link>
        {t("sumsCount", { count })}
      </p>
      <p className="flex flex-wrap gap-x-6 tabular-nums">
        {(["in", "out"] as const).map((side) => (
          <span key={side} className="text-lg font-semibold">
            <span className="me-1.5 text-sm font-normal text-muted">{t(`fromTo.${side}`)}</span>
            <AssetSumText decimal={outside[side]} coin={coin} />
          </span>
        ))}
      </p>
      <OwnSides own={own} coin={coin} areBothMeant={holdsBothSides(filter)} />
      {returned === null || coin !== undefined ? null : (
        <p className="text-sm text-warning tabular-nums">
          {t.rich("returned", {
            count: returned.count,
            sum: () => summed(returned.sum),
          })}
        </p>
      )}
      {perhapsOwn === null || coin !== undefined ? null : (
        <p className="text-sm text-warning tabular-nums">
          {t.rich("perhapsOwn", {
            count: perhapsOwn.count,
            in: () => summed(perhapsOwn.in),
            out: () => summed(perhapsOwn.out),
          })}
        </p>
      )}
      {unsigned === 0 ? null : <p className="text-sm text-warning">{t("sumUnsigned", { count: unsigned })}</p>}
      <Fold summary={t("byType")} className="text-sm">
        <ul className="mt-1 space-y-1 text-muted tabular-nums">
          {types.map((sum) => (
            <li key={sum.type} className="flex flex-wrap justify-between gap-x-4">
              <span className="text-ink">{`${typeName(sum.type)} · ${formatCount(sum.count, locale)}`}</span>
              <TypeSides sum={sum} coin={coin} />
            </li>
          ))}
        </ul>
      </Fold>
    </div>
  );
}

type LinesProps = Omit<LineProps, "one"> & { shown: readonly AssetSum[] };

function AssetLines({ shown, ...of }: LinesProps) {
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(20rem,100%),1fr))] gap-x-10">
      {shown.map((one) => (
        <AssetLine key={one.key} one={one} {...of} />
      ))}
    </div>
  );
}

type SummaryProps = { summary: MovementSummary; filter: MovementFilter };

function Completeness({ summary, filter }: SummaryProps) {
  const { sources, completeUntil, gaps } = summary;
  const t = useTranslations("movements");
  const locale = useLocale();
  const time = completeUntil === null ? "" : formatDateTime(completeUntil, locale);
  const whole = wholenessOf(summary, filter);
  const until = t(whole, { time, whole: sources - gaps.count, count: sources });
  return (
    <div className="text-sm text-muted tabular-nums">
      <p className={whole === "completeUntil" ? undefined : "text-warning"}>
        {gaps.count > 0 && whole !== "completeNever" ? until : `${until} · ${t("sources", { count: sources })}`}
      </p>
      {gaps.count === 0 ? null : (
        <Fold summary={t("gapCount", { count: gaps.count })} tone="text-warning">
          <ul className="mt-1">
            {gaps.named.map(({ href, label, why, until: one }) => (
              <li key={href} className="wrap-anywhere">
                <Link href={href} prefetch={false} className="text-accent hover:underline">
                  {providerText(label)}
                </Link>
                {`: ${t(`gaps.${why}`)}`}
                {one === null ? null : `, ${t("completeUntil", { time: formatDateTime(one, locale) })}`}
              </li>
            ))}
            {gaps.count > gaps.named.length ? (
              <li>{t("gapsMore", { count: gaps.count - gaps.named.length })}</li>
            ) : null}
          </ul>
        </Fold>
      )}
    </div>
  );
}

/** Of all that is filtered, whichever page of it is shown. */
export function Summary({ summary, filter }: SummaryProps) {
  const t = useTranslations("movements");
  const { assets, drawn, days, count } = summary;
  const rest = assets.slice(SHOWN_ASSETS);
  return (
    <section aria-label={t("sumsTitle")} className="gap-x-10 border-b border-line px-5 py-4 @widest:flex">
      <div className="min-w-0 flex-1 basis-80">
        {count === 0 && summary.completeUntil === null ? null : (
          <p className="text-sm text-muted">{t("sumsCount", { count })}</p>
        )}
        <Completeness summary={summary} filter={filter} />
        <AssetLines shown={assets.slice(0, SHOWN_ASSETS)} summary={summary} filter={filter} />
        {rest.length === 0 ? null : (
          <Fold summary={t("moreTotals", { count: rest.length })} tone="text-sm text-muted hover:text-ink">
            <AssetLines shown={rest} summary={summary} filter={filter} />
          </Fold>
        )}
        {assets.some(({ coin }) => coin !== undefined) ? (
          <p className="pt-1 text-sm text-muted">{t("feesApart")}</p>
        ) : null}
      </div>
      {drawn === null ? null : <DayChart drawn={drawn} days={days} period={filter} />}
    </section>
  );
}
