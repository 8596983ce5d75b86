"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { BarChart, Swatch } from "@/components/table/bar-chart";
import { cn } from "@/components/ui/cn";
import type { MovementFilter } from "@/lib/movements/inputs";
import type { AssetSum, DayBar, MovementSummary } from "@/lib/movements/view";
import { formatCount, formatDate, formatDateTime } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { DAY_MS } from "@/lib/text/time";
import { hrefOf } from "./movement-list";
import { AssetSumText, useAssetName, useTypeName } from "./movement-words";

const TONES = { in: "fill-positive", out: "fill-accent" } as const;

const daysBetween = (from: string, to: string): string[] => {
  const first = Date.parse(`${from}T12:00:00Z`);
  const count = Math.round((Date.parse(`${to}T12:00:00Z`) - first) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, nth) => new Date(first + nth * DAY_MS).toISOString().slice(0, 10));
};

const highest = (days: readonly DayBar[], side: "in" | "out"): string =>
  days.map((day) => day[side]).reduce((most, one) => (Number(one) > Number(most) ? one : most), "0");

type ChartProps = { drawn: AssetSum; days: readonly DayBar[]; period: { from: string; to: string } };

/** Two charts on one line of days: each has its own axis, so that a small side is seen beside a large one. */
function DayChart({ drawn, days, period }: ChartProps) {
  const t = useTranslations("movements");
  const locale = useLocale();
  const assetName = useAssetName();
  const all = daysBetween(period.from, period.to);
  const byDay = new Map(days.map((one) => [one.day, one]));
  const label = t("chart", { asset: assetName(drawn.coin) });
  return (
    <figure className="min-w-0 flex-1 basis-96">
      <figcaption className="flex flex-wrap gap-x-4 text-sm text-muted">
        {label}
        {(["in", "out"] as const).map((side) => (
          <span key={side} className="flex items-center gap-1.5">
            <Swatch tone={TONES[side]} />
            {t(side)}
          </span>
        ))}
      </figcaption>
      {(["in", "out"] as const).map((side) => (
        <div key={side} className="flex items-stretch gap-2">
          <p
            aria-hidden
            className={cn(
              "flex w-28 shrink-0 flex-col justify-between pt-2 text-end text-xs text-muted tabular-nums",
              side === "out" && "flex-col-reverse",
            )}
          >
            <AssetSumText decimal={highest(days, side)} coin={drawn.coin} />
            <span>0</span>
          </p>
          <div className="min-w-0 flex-1">
            <BarChart
              label={`${label}: ${t(side)}`}
              columns={all.length}
              tones={[TONES.in, TONES.out]}
              bars={all.map((day, at) => {
                const moved = Number(byDay.get(day)?.[side] ?? 0);
                return side === "in" ? { at, up: moved, down: 0 } : { at, up: 0, down: moved };
              })}
            />
          </div>
        </div>
      ))}
      <p aria-hidden className="ms-30 flex justify-between pt-1 text-xs text-muted tabular-nums">
        <span>{formatDate(period.from, locale)}</span>
        <span>{formatDate(period.to, locale)}</span>
      </p>
      <details className="pt-1 text-sm">
        <summary className="w-fit text-muted hover:text-ink">{t("chartTable")}</summary>
        <table className="ledger mt-2" aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{t("day")}</th>
              <th scope="col" data-align="end">
                {t("in")}
              </th>
              <th scope="col" data-align="end">
                {t("out")}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((one) => (
              <tr key={one.day}>
                <th scope="row">{formatDate(one.day, locale)}</th>
                <td data-align="end">
                  <AssetSumText decimal={one.in} coin={drawn.coin} />
                </td>
                <td data-align="end">
                  <AssetSumText decimal={one.out} coin={drawn.coin} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

const SHOWN_ASSETS = 4;

type LineProps = { one: AssetSum; hrefTo: (key: string) => string };

function AssetLine({ one, hrefTo }: LineProps) {
  const t = useTranslations("movements");
  const assetName = useAssetName();
  const typeName = useTypeName();
  const locale = useLocale();
  const { coin, count, unsigned, types } = one;
  return (
    <div className="border-t border-line py-2 first:border-t-0">
      <p className="flex flex-wrap justify-between gap-x-4 text-sm text-muted">
        <Link href={hrefTo(one.key)} prefetch={false} scroll={false} className="font-medium text-ink hover:underline">
          {assetName(coin)}
        </Link>
        {t("sumsCount", { count })}
      </p>
      <p className="flex flex-wrap gap-x-6 tabular-nums">
        {(["in", "out"] as const).map((side) => (
          <span key={side} className="text-lg font-semibold">
            <span className="me-1.5 text-sm font-normal text-muted">{t(side)}</span>
            <AssetSumText decimal={one[side]} coin={coin} />
          </span>
        ))}
      </p>
      {unsigned === 0 ? null : <p className="text-sm text-warning">{t("sumUnsigned", { count: unsigned })}</p>}
      <details className="text-sm">
        <summary className="w-fit text-muted hover:text-ink">{t("byType")}</summary>
        <ul className="mt-1 space-y-1 text-muted tabular-nums">
          {types.map((sum) => (
            <li key={sum.type} className="flex flex-wrap justify-between gap-x-4">
              <span className="text-ink">{`${typeName(sum.type)} · ${formatCount(sum.count, locale)}`}</span>
              <span>
                {t("in")} <AssetSumText decimal={sum.in} coin={coin} /> · {t("out")}{" "}
                <AssetSumText decimal={sum.out} coin={coin} />
              </span>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}

function Completeness({ summary: { sources, completeUntil, gaps } }: { summary: MovementSummary }) {
  const t = useTranslations("movements");
  const locale = useLocale();
  const until =
    completeUntil === null ? t("completeNever") : t("completeUntil", { time: formatDateTime(completeUntil, locale) });
  return (
    <div className="text-sm text-muted tabular-nums">
      <p>{`${until} · ${t("sources", { count: sources })}`}</p>
      {gaps.count === 0 ? null : (
        <details>
          <summary className="w-fit text-warning">{t("gapCount", { count: gaps.count })}</summary>
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
        </details>
      )}
    </div>
  );
}

type SummaryProps = { summary: MovementSummary; filter: MovementFilter };

/** Of all that is filtered, whichever page of it is shown. */
export function Summary({ summary, filter }: SummaryProps) {
  const hrefTo = (asset: string) => hrefOf(filter, { asset });
  const t = useTranslations("movements");
  const { assets, drawn, days, count } = summary;
  const rest = assets.slice(SHOWN_ASSETS);
  return (
    <section aria-label={t("sumsTitle")} className="flex flex-wrap gap-x-10 gap-y-4 border-b border-line px-5 py-4">
      <div className="min-w-0 flex-1 basis-80">
        <p className="text-sm text-muted">{t("sumsCount", { count })}</p>
        {assets.slice(0, SHOWN_ASSETS).map((one) => (
          <AssetLine key={one.key} one={one} hrefTo={hrefTo} />
        ))}
        {rest.length === 0 ? null : (
          <details>
            <summary className="w-fit text-sm text-muted hover:text-ink">
              {t("moreTotals", { count: rest.length })}
            </summary>
            {rest.map((one) => (
              <AssetLine key={one.key} one={one} hrefTo={hrefTo} />
            ))}
          </details>
        )}
        <Completeness summary={summary} />
      </div>
      {drawn === null ? null : <DayChart drawn={drawn} days={days} period={filter} />}
    </section>
  );
}
