import { useLocale, useTranslations } from "next-intl";
import { Status } from "@/components/ui/status";
import { Amount, CoinAmount } from "@/components/layout/amount";
import { ShortEnds } from "@/components/table/short-code";
import { UnknownStatus } from "@/components/layout/badges";
import { formatCrypto, formatTime } from "@/lib/text/format";
import type { Network } from "@/lib/contract/crypto";
import type { AssetBalance, WalletRow } from "@/lib/wallets/queries";
import { FAMILY_NAMES, isWalletStatus, type ReadTrouble, sameAsset, WALLET_TONES } from "@/lib/wallets/view";
import { ProviderText } from "@/components/layout/provider-text";
import { providerText, providerWord } from "@/lib/text/provider-word";

export function FamilyName({ family }: { family: string }) {
  const t = useTranslations("wallets.filters");
  const known = FAMILY_NAMES.find((name) => name === family);
  return known ? t(known) : <ProviderText text={providerWord(family)} />;
}

/** Finance's label, else the provider's. */
export function WalletUse({ use }: Pick<WalletRow, "use">) {
  const t = useTranslations("wallets.uses");
  return use === null ? <span className="text-muted">{t("untold")}</span> : t(use);
}

/** The provider's kind, whatever finance says. */
export function ProviderKind({ isForwardPayment }: Pick<WalletRow, "isForwardPayment">) {
  const t = useTranslations("wallets");
  if (isForwardPayment === null) return <span className="text-muted">{t("kindUnreported")}</span>;
  return isForwardPayment ? t("forward") : t("master");
}

export function WalletStatus({ status }: { status: string }) {
  const t = useTranslations("wallets.status");
  if (!isWalletStatus(status)) return <UnknownStatus word={providerWord(status)} />;
  return (
    <Status tone={WALLET_TONES[status]} progress="settled">
      {t(status)}
    </Status>
  );
}

export function useTrouble(): (trouble: ReadTrouble) => string {
  const t = useTranslations("wallets.trouble");
  const locale = useLocale();
  return (trouble) =>
    trouble.as === "failed" ? t("failed") : t("put-off", { time: formatTime(trouble.until, locale) });
}

/** The requested asset comes first. */
export function askedFirst<One extends { asset: string }>(held: readonly One[], asked: string | undefined): One[] {
  if (asked === undefined) return [...held];
  return [...held.filter((one) => sameAsset(one.asset, asked)), ...held.filter((one) => !sameAsset(one.asset, asked))];
}

type AmountProps = { held: Pick<AssetBalance, "asset" | "balance" | "doubt" | "decimals"> };

function DoubtSaid({ held: { asset, doubt } }: AmountProps) {
  const t = useTranslations("wallets.doubts");
  if (doubt === null) return null;
  return <span className="block text-sm font-normal text-warning">{t(doubt, { asset: providerText(asset) })}</span>;
}

/** Anybody can name a token; only the contract identifies it. */
export function Contract({ of }: { of: string | null }) {
  if (of === null || of === "") return null;
  return (
    <ShortEnds text={of} className="ms-1.5 inline-flex max-w-full justify-end align-bottom font-normal text-muted" />
  );
}

export function CoinPlace({ network, token }: { network: Network | null; token: string | null }) {
  const t = useTranslations();
  return (
    <span className="flex justify-end text-sm text-muted">
      {network === null ? t("deposits.networkUntold") : t(`wallets.networks.${network}`)}
      <Contract of={token} />
    </span>
  );
}

type ListedProps = { held: AmountProps["held"] & Pick<AssetBalance, "tokenAddress"> };

/** The tooltip and the accessible name have the rest. */
export function ListedAmount(props: ListedProps) {
  return (
    <>
      <CoinAmount decimal={props.held.balance} unit={props.held.asset} />
      <Contract of={props.held.tokenAddress} />
      <DoubtSaid {...props} />
    </>
  );
}

export function AssetAmount({ held }: AmountProps) {
  const t = useTranslations("wallets");
  const locale = useLocale();
  return (
    <span className="wrap-anywhere">
      <Amount number={formatCrypto(held.balance, locale)} unit={held.asset} />
      {held.decimals === null ? null : (
        <span className="ms-2 text-sm font-normal text-muted">{t("decimals", { count: held.decimals })}</span>
      )}
      <DoubtSaid held={held} />
    </span>
  );
}
