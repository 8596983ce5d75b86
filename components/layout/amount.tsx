import { useLocale } from "next-intl";
import { splitCrypto } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { ProviderParts } from "./provider-text";

/** A longer number wraps, since no column holds it. */
const MAX_UNBROKEN = 26;

/** Wraps before the unit, not within the number. */
export function Amount({ number, unit = "" }: { number: string; unit?: string }) {
  return (
    <bdi>
      <span className={number.length > MAX_UNBROKEN ? undefined : "whitespace-nowrap"}>
        <ProviderParts text={number} />
      </span>
      {unit === "" ? null : " "}
      <ProviderParts text={unit} />
    </bdi>
  );
}

type CoinAmountProps = { decimal: string; unit: string; sign?: string };

/** The first eight significant digits are seen, or up to eight decimals; all of them are read aloud, copied and shown at the pointer. */
export function CoinAmount({ decimal, unit, sign = "" }: CoinAmountProps) {
  const locale = useLocale();
  const { head, tail } = splitCrypto(decimal, locale);
  return (
    <span className="inline-block max-w-full">
      {tail === "" ? (
        <Amount number={`${sign}${head}`} unit={unit} />
      ) : (
        <bdi title={providerText(`${sign}${head}${tail} ${unit}`)}>
          <span className="whitespace-nowrap">
            {sign}
            {head}
            {/* Without a size, so that who selects the amount copies all of it. */}
            <span className="after:content-['…']">
              <span className="text-[0px] leading-none">{tail}</span>
            </span>
          </span>{" "}
          <ProviderParts text={unit} />
        </bdi>
      )}
    </span>
  );
}
