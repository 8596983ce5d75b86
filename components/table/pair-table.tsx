import type { ReactNode } from "react";
import { Fold } from "@/components/ui/fold";
import { NONE, type Pair, PairChart, type PairChartProps } from "./pair-chart";

export type TabledChartProps = Omit<PairChartProps, "children"> & { asTable: string };

export function TabledChart({ asTable, ...chart }: TabledChartProps) {
  return (
    <PairChart {...chart}>
      <Fold summary={asTable} className="pt-1 text-sm">
        <PairTable {...chart} />
      </Fold>
    </PairChart>
  );
}

type PairTableProps = Pick<PairChartProps, "label" | "head" | "beside" | "names" | "pairs" | "renderAmount">;

type Side = {
  title: string;
  under: string | undefined;
  amountOf: (pair: Pair) => string;
  underOf: (pair: Pair) => string;
};

const below = (content: ReactNode) => <span className="block font-normal text-muted">{content}</span>;

/** Newest first; what stands beside an amount stands under it here, so that narrow columns hold both. */
export function PairTable({ label, head, beside, names, pairs, renderAmount }: PairTableProps) {
  const [column, first, second] = head;
  const sides: Side[] = [
    { title: first, under: beside?.[0], amountOf: (pair) => pair.up, underOf: (pair) => pair.beside?.[0] ?? NONE },
    { title: second, under: beside?.[1], amountOf: (pair) => pair.down, underOf: (pair) => pair.beside?.[1] ?? NONE },
  ];
  return (
    <table className="ledger mt-2" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{column}</th>
          {sides.map(({ title, under }) => (
            <th key={title} scope="col" data-align="end" className="py-1 whitespace-normal!">
              {title}
              {under === undefined ? null : below(under)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {pairs.toReversed().map((pair) => (
          <tr key={pair.at}>
            <th scope="row">{names[pair.at]}</th>
            {sides.map(({ title, under, amountOf, underOf }) => (
              <td key={title} data-align="end" className="py-1 whitespace-normal!">
                {renderAmount(amountOf(pair))}
                {under === undefined ? null : below(renderAmount(underOf(pair)))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
