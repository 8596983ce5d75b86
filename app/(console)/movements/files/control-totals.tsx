import { useLocale, useTranslations } from "next-intl";
import type { AssetTotals, Coin, Totals } from "@/lib/db/enums/movements";
import { listTotals } from "@/lib/movements/view";
import { formatBrl, formatCrypto, isZero } from "@/lib/text/format";
import { shortAddress } from "@/lib/text/short";
import { providerText } from "@/lib/text/provider-word";

const SHOWN_MAX = 4;

type AssetLineProps = { name: string; totals: AssetTotals };

function AssetLine({ name, totals }: AssetLineProps) {
  const t = useTranslations("movements");
  const networks = useTranslations("wallets.networks");
  const locale = useLocale();
  const { coin, count, unsigned, notWhole, own } = totals;
  const shown = (decimal: string) => (coin === undefined ? formatBrl(decimal, locale) : formatCrypto(decimal, locale));
  const sums = (asset: string) => t("total", { asset, count, in: shown(totals.in), out: shown(totals.out) });
  const network = coin === undefined ? "" : networks(coin.network);
  const nameOf = ({ token, asset, isLikely }: Coin) => {
    const shownAsset = providerText(`${asset ?? ""} ${shortAddress(token ?? "")}`.trim());
    return t(isLikely === true ? "likelyCoin" : "coin", { asset: shownAsset, network });
  };
  return (
    <span className="block text-sm tabular-nums">
      {coin === undefined
        ? sums(name)
        : coin.asset === null && coin.token === null
          ? t("untold", { network, count })
          : sums(nameOf(coin))}
      {notWhole === undefined ? null : <span className="text-warning"> *</span>}
      {own === undefined || (isZero(own.in) && isZero(own.out)) ? null : (
        <span className="block text-muted">{t("totalOwn", { in: shown(own.in), out: shown(own.out) })}</span>
      )}
      {unsigned === 0 ? null : <span className="block text-muted">{t("unsigned", { count: unsigned })}</span>}
    </span>
  );
}

export function ControlTotals({ totals }: { totals: Totals }) {
  const t = useTranslations("movements");
  const listed = listTotals(totals);
  const lines = listed.map(([name, one]) => <AssetLine key={name} name={name} totals={one} />);
  const count = listed.filter(([, { notWhole }]) => notWhole !== undefined).length;
  return (
    <>
      {lines.slice(0, SHOWN_MAX)}
      {lines.length <= SHOWN_MAX ? null : (
        <details>
          <summary className="cursor-pointer text-sm text-muted hover:text-ink">
            {t("moreTotals", { count: lines.length - SHOWN_MAX })}
          </summary>
          {lines.slice(SHOWN_MAX)}
        </details>
      )}
      {count === 0 ? null : <span className="block text-sm text-warning">{t("totalsNotWhole", { count })}</span>}
    </>
  );
}
