import { useLocale } from "next-intl";
import { Amount, CoinAmount } from "@/components/layout/amount";
import { isInReais, type SumKey } from "@/lib/db/enums/position";
import { formatBrl, formatCrypto } from "@/lib/text/format";
import { providerText, providerWord } from "@/lib/text/provider-word";

export type Drawn = Pick<SumKey, "kind" | "asset">;

/** An amount of this sum, to be read aloud. */
export function useSayAmount({ kind, asset }: Drawn): (decimal: string) => string {
  const locale = useLocale();
  return (decimal) =>
    isInReais(kind)
      ? formatBrl(decimal, locale)
      : `${formatCrypto(decimal, locale)} ${providerText(providerWord(asset))}`;
}

type SumAmountProps = { sum: Drawn; decimal: string; sign?: string };

export function SumAmount({ sum: { kind, asset }, decimal, sign = "" }: SumAmountProps) {
  const locale = useLocale();
  if (isInReais(kind)) return <Amount number={`${sign}${formatBrl(decimal, locale)}`} />;
  return <CoinAmount decimal={decimal} unit={providerWord(asset)} sign={sign} />;
}
