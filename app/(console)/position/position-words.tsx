import { useLocale, useTranslations } from "next-intl";
import { isAboveSupply, isCoin } from "@/lib/contract/coins";
import { NETWORKS } from "@/lib/contract/crypto";
import { isInReais, type SumKey } from "@/lib/db/enums/position";
import { type DayMoment, type PositionTotal, spanOf } from "@/lib/position/view";
import { formatDate } from "@/lib/text/format";
import { providerText, providerWord } from "@/lib/text/provider-word";

export function useMoment(): (day: string, moment: DayMoment | null) => string {
  const t = useTranslations("position.moments");
  const locale = useLocale();
  return (day, moment) => {
    const date = formatDate(day, locale);
    return moment === null ? date : `${date}, ${t(moment.as, { time: spanOf(moment, locale) })}`;
  };
}

export function SupplyDoubt({ sum: { network, asset, token, amount } }: { sum: PositionTotal }) {
  const t = useTranslations("wallets.doubts");
  const known = NETWORKS.find((name) => name === network);
  if (known === undefined || amount === null || !isCoin(known, { asset, tokenAddress: token })) return null;
  if (!isAboveSupply(known, amount)) return null;
  return <span className="block text-sm text-warning">{t("above-supply", { asset: providerText(asset) })}</span>;
}

export function usePlaceName(): (sum: Pick<SumKey, "network">) => string {
  const t = useTranslations("wallets.networks");
  return ({ network }) => {
    const known = NETWORKS.find((name) => name === network);
    return known === undefined ? providerText(providerWord(network)) : t(known);
  };
}

export function useSumName(): (sum: SumKey) => string {
  const t = useTranslations();
  const placeOf = usePlaceName();
  return ({ kind, network, asset, token, part }) => {
    if (isInReais(kind)) return t(`position.parts.${part}`);
    const place = placeOf({ network });
    const what =
      asset === "" ? t(token === "" ? "position.assetUnread" : "position.assetUnnamed") : providerText(asset);
    const contract = token.length > 14 ? `${token.slice(0, 6)}…${token.slice(-6)}` : token;
    const short = token === "" ? "" : ` · ${providerText(contract)}`;
    return `${what} · ${place}${short}`;
  };
}
