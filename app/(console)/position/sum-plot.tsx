"use client";

import { useLocale } from "next-intl";
import { LinePlot } from "@/components/table/line-plot";
import { isInReais } from "@/lib/db/enums/position";
import type { LinePoint } from "@/lib/position/view";
import { formatShort } from "@/lib/text/format";
import { providerWord } from "@/lib/text/provider-word";
import { type Drawn, SumAmount, useSayAmount } from "./sum-amount";

type SumPlotProps = {
  sum: Drawn;
  name: string;
  days: readonly string[];
  points: readonly LinePoint[];
  otherDays: string | null;
};

export function SumPlot({ sum, ...plot }: SumPlotProps) {
  const locale = useLocale();
  const say = useSayAmount(sum);
  const isReais = isInReais(sum.kind);
  return (
    <LinePlot
      {...plot}
      renderAmount={(decimal) => <SumAmount sum={sum} decimal={decimal} />}
      say={say}
      shorten={(decimal) => formatShort(decimal, locale, isReais)}
      unit={isReais ? "" : providerWord(sum.asset)}
    />
  );
}
