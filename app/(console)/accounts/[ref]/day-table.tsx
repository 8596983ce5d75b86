"use client";

import { useLocale, useTranslations } from "next-intl";
import { Money } from "@/components/table/money";
import { Fold } from "@/components/ui/fold";
import { formatDate, isZero } from "@/lib/text/format";
import { movedDays } from "./moved-days";
import type { DaySums } from "./statement-rows";

type DayTableProps = { sums: DaySums; from: string; to: string };

export function DayTable(given: DayTableProps) {
  const t = useTranslations("statement");
  return (
    <Fold summary={t("perDayTable")} className="pt-1 text-sm print:hidden">
      <Rows {...given} />
    </Fold>
  );
}

function Rows({ sums, from, to }: DayTableProps) {
  const t = useTranslations("statement");
  const locale = useLocale();
  const { balances } = sums;
  const days = movedDays(sums, { from, to }).toReversed();
  const hasBalance = days.some(({ day }) => balances[day] !== undefined);
  return (
    <table className="ledger mt-2" aria-label={t("perDay")}>
      <thead>
        <tr>
          <th scope="col">{t("day")}</th>
          <th scope="col" data-align="end">
            {t("in")}
          </th>
          <th scope="col" data-align="end">
            {t("out")}
          </th>
          {hasBalance ? (
            <th scope="col" data-align="end">
              {t("dayBalance")}
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {days.map(({ day, ...moved }) => (
          <tr key={day}>
            <th scope="row">{formatDate(day, locale)}</th>
            <td data-align="end">
              <Sum decimal={moved.in} side="in" />
            </td>
            <td data-align="end">
              <Sum decimal={moved.out} side="out" />
            </td>
            {balances[day] === undefined ? null : (
              <td data-align="end">
                <Money decimal={balances[day]} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Sum({ decimal, side }: { decimal: string; side: "in" | "out" }) {
  if (isZero(decimal)) return <Money decimal={decimal} />;
  return <Money decimal={decimal} direction={side === "in" ? "CREDIT" : "DEBIT"} />;
}
