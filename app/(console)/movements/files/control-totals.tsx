import { useLocale, useTranslations } from "next-intl";
import { kindOf, useAssetName } from "@/app/(console)/movements/movement-words";
import type { AssetTotals, Totals } from "@/lib/db/enums/movements";
import { listTotals } from "@/lib/movements/view";
import { Amount, CoinAmount } from "@/components/layout/amount";
import { formatBrl, isZero } from "@/lib/text/format";
import { shortHash } from "@/lib/text/short";
import { providerText } from "@/lib/text/provider-word";

const SHOWN_MAX = 4;

function AssetRows({ totals: { coin, count, unsigned, notWhole, own, ...sides } }: { totals: AssetTotals }) {
  const t = useTranslations("movements");
  const locale = useLocale();
  const nameOf = useAssetName();
  const shown = (decimal: string) =>
    coin === undefined ? <Amount number={formatBrl(decimal, locale)} /> : <CoinAmount decimal={decimal} unit="" />;
  const isUntold = coin !== undefined && coin.asset === null && coin.token === null;
  const contract = coin === undefined || coin.asset === null ? null : coin.token;
  return (
    <>
      <tr>
        <th scope="row">
          {nameOf(coin)}
          {notWhole === undefined ? null : <span className="text-warning"> *</span>}
          {contract === null ? null : (
            <span className="block text-muted" title={providerText(contract)}>
              {providerText(shortHash(contract))}
            </span>
          )}
          <span className="block text-muted">{t("totalCount", { count })}</span>
        </th>
        {isUntold ? (
          <td colSpan={2} className="text-muted">
            {t("notAdded")}
          </td>
        ) : (
          <>
            <td>{shown(sides.in)}</td>
            <td>{shown(sides.out)}</td>
          </>
        )}
      </tr>
      {own === undefined || (isZero(own.in) && isZero(own.out)) ? null : (
        <tr className="text-muted">
          <th scope="row" title={t("totalOwnHow")}>
            {t("totalOwn", { kind: kindOf(coin) })}
          </th>
          <td>{shown(own.in)}</td>
          <td>{shown(own.out)}</td>
        </tr>
      )}
      {unsigned === 0 ? null : (
        <tr className="text-muted">
          <td colSpan={3}>{t("unsigned", { count: unsigned })}</td>
        </tr>
      )}
    </>
  );
}

type TotalsTableProps = { label: string; listed: readonly [string, AssetTotals][] };

function TotalsTable({ label, listed }: TotalsTableProps) {
  const t = useTranslations("movements");
  return (
    <table aria-label={label} className="inner-table">
      <thead>
        <tr>
          <th scope="col">{t("asset")}</th>
          <th scope="col">{t("in")}</th>
          <th scope="col">{t("out")}</th>
        </tr>
      </thead>
      <tbody>
        {listed.map(([key, one]) => (
          <AssetRows key={key} totals={one} />
        ))}
      </tbody>
    </table>
  );
}

export function ControlTotals({ totals }: { totals: Totals }) {
  const t = useTranslations("movements");
  const listed = listTotals(totals);
  const rest = listed.slice(SHOWN_MAX);
  const more = t("moreTotals", { count: rest.length });
  const count = listed.filter(([, { notWhole }]) => notWhole !== undefined).length;
  return (
    <>
      {listed.length === 0 ? null : <TotalsTable label={t("columns.totals")} listed={listed.slice(0, SHOWN_MAX)} />}
      {rest.length === 0 ? null : (
        <details>
          <summary className="cursor-pointer text-sm text-muted hover:text-ink">{more}</summary>
          <TotalsTable label={more} listed={rest} />
        </details>
      )}
      {count === 0 ? null : <span className="block text-sm text-warning">{t("totalsNotWhole", { count })}</span>}
    </>
  );
}
