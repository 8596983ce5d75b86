import { useLocale, useTranslations } from "next-intl";
import { NETWORKS } from "@/lib/contract/crypto";
import type { SumKey } from "@/lib/db/enums/position";
import { formatBrl, formatCrypto } from "@/lib/text/format";
import { providerText, providerWord } from "@/lib/text/provider-word";

/** An amount of the sum, exact to its last digit. */
export function useAmount(): (sum: Pick<SumKey, "kind" | "asset">, decimal: string) => string {
  const locale = useLocale();
  return ({ kind, asset }, decimal) =>
    kind === "account" ? formatBrl(decimal, locale) : `${formatCrypto(decimal, locale)} ${providerText(asset)}`;
}

export function useSumName(): (sum: SumKey) => string {
  const t = useTranslations();
  return ({ kind, network, asset, token, part }) => {
    if (kind === "account") return t(`position.parts.${part}`);
    const known = NETWORKS.find((name) => name === network);
    const place = known === undefined ? providerWord(network) : t(`wallets.networks.${known}`);
    const what = asset === "" ? t("position.assetUnread") : providerText(asset);
    const contract = token.length > 14 ? `${token.slice(0, 6)}…${token.slice(-6)}` : token;
    const short = token === "" ? "" : ` · ${providerText(contract)}`;
    return `${what} · ${place}${short}`;
  };
}
