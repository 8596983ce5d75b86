import { useLocale } from "next-intl";
import { Amount } from "@/components/layout/amount";
import { ProviderText } from "@/components/layout/provider-text";
import { isInReais, type SumKey } from "@/lib/db/enums/position";
import { formatBrl, formatCrypto, splitCrypto } from "@/lib/text/format";
import { providerText, providerWord } from "@/lib/text/provider-word";

/** An amount of this sum, to be read aloud. */
export function useSayAmount({ kind, asset }: Pick<SumKey, "kind" | "asset">): (decimal: string) => string {
  const locale = useLocale();
  return (decimal) =>
    isInReais(kind)
      ? formatBrl(decimal, locale)
      : `${formatCrypto(decimal, locale)} ${providerText(providerWord(asset))}`;
}

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
