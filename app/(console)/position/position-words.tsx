import { useLocale, useTranslations } from "next-intl";
import { Amount } from "@/components/layout/amount";
import { ProviderText } from "@/components/layout/provider-text";
import { isAboveSupply, isCoin } from "@/lib/contract/coins";
import { NETWORKS } from "@/lib/contract/crypto";
import { isInReais, type SumKey } from "@/lib/db/enums/position";
import { type DayMoment, type PositionTotal, spanOf } from "@/lib/position/view";
import { formatBrl, formatDate, splitCrypto } from "@/lib/text/format";
import { providerText, providerWord } from "@/lib/text/provider-word";

type SumAmountProps = { sum: Pick<SumKey, "kind" | "asset">; decimal: string; sign?: string };

/** Of coins the first eight significant digits are seen; all of them are read aloud, copied and shown at the pointer. */
export function SumAmount({ sum: { kind, asset }, decimal, sign = "" }: SumAmountProps) {
  const locale = useLocale();
  if (isInReais(kind)) return <Amount number={`${sign}${formatBrl(decimal, locale)}`} />;
  const { head, tail } = splitCrypto(decimal, locale);
  if (tail === "") return <Amount number={`${sign}${head}`} unit={providerWord(asset)} />;
  return (
    <bdi title={providerText(`${sign}${head}${tail} ${providerWord(asset)}`)}>
      <span className="whitespace-nowrap">
        {sign}
        {head}
        {/* Without a size, so that who selects the amount copies all of it. */}
        <span className="after:content-['…']">
          <span className="text-[0px]">{tail}</span>
        </span>
      </span>{" "}
      <ProviderText text={providerWord(asset)} />
    </bdi>
  );
}

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

export function useSumName(): (sum: SumKey) => string {
  const t = useTranslations();
  return ({ kind, network, asset, token, part }) => {
    if (isInReais(kind)) return t(`position.parts.${part}`);
    const known = NETWORKS.find((name) => name === network);
    const place = known === undefined ? providerWord(network) : t(`wallets.networks.${known}`);
    const what =
      asset === "" ? t(token === "" ? "position.assetUnread" : "position.assetUnnamed") : providerText(asset);
    const contract = token.length > 14 ? `${token.slice(0, 6)}…${token.slice(-6)}` : token;
    const short = token === "" ? "" : ` · ${providerText(contract)}`;
    return `${what} · ${place}${short}`;
  };
}
