import { useLocale, useTranslations } from "next-intl";
import { Amount } from "@/components/layout/amount";
import { ProviderText } from "@/components/layout/provider-text";
import { Money } from "@/components/table/money";
import { MovedCoins } from "@/components/table/moved-coins";
import { ShortEnds } from "@/components/table/short-code";
import { type Look, Status } from "@/components/ui/status";
import type { Coin, SourceKind } from "@/lib/db/enums/movements";
import { entryWordOf } from "@/lib/accounts/view";
import type { ListedMovement, MovementStanding } from "@/lib/movements/view";
import { NETWORK_NAMES } from "@/lib/wallets/view";
import { formatCrypto } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { shortAddress } from "@/lib/text/short";

/** Reais move between accounts, coins between wallets. */
export const kindOf = (coin: Coin | undefined): SourceKind => (coin === undefined ? "account" : "wallet");

/** What an asset is called; one that is not told has no name. */
export function useAssetName(): (coin: Coin | undefined) => string {
  const t = useTranslations("movements");
  const networks = useTranslations("wallets.networks");
  return (coin) => {
    if (coin === undefined) return "BRL";
    const { network, asset, token, isLikely = false } = coin;
    const onNetwork = networks(network);
    if (asset === null && token === null) return `${t("assetUntold")} · ${onNetwork}`;
    const name = providerText(asset ?? shortAddress(token ?? ""));
    return `${isLikely ? t("likely", { asset: name }) : name} · ${onNetwork}`;
  };
}

/** As the address names an asset. */
export function coinIn(word: string): Coin | undefined {
  const told = new URLSearchParams(word);
  const network = NETWORK_NAMES.find((one) => one === told.get("network"));
  if (network === undefined) return undefined;
  const coin = { network, asset: told.get("asset"), token: told.get("token") };
  return told.has("likely") ? { ...coin, isLikely: true } : coin;
}

export function useTypeName(): (type: string) => string {
  const words = useTranslations("statement.words");
  const t = useTranslations("movements.directions");
  return (type) => {
    const word = entryWordOf("type", type);
    if (word !== null) return words(word);
    if (/^incoming$/i.test(type)) return t("in");
    return /^outgoing$/i.test(type) ? t("out") : providerText(type);
  };
}

type PlaceProps = { kind: SourceKind; text: string };

/** An account by its number, a wallet by the ends of its address. */
export function MovementPlace({ kind, text }: PlaceProps) {
  if (kind === "account") return <ProviderText text={text} />;
  return <ShortEnds text={text} className="inline-flex max-w-full align-bottom" />;
}

type Told = Pick<ListedMovement, "counterpart" | "text" | "other">;

/** The account or wallet here, else the counterparty, else what the bank writes; empty: nothing is told. */
export const otherSideOf = ({ counterpart, text, other }: Told): string => other?.label ?? counterpart ?? text ?? "";

export function MovementName({ row }: { row: Told & Pick<ListedMovement, "type" | "kind"> }) {
  const typeName = useTypeName();
  const side = otherSideOf(row);
  return (
    <span className="flex min-w-0">
      <span className="max-w-full shrink-0 truncate whitespace-pre">{`${typeName(row.type)}${side === "" ? "" : " · "}`}</span>
      {side === "" ? null : (
        <span className="min-w-0 truncate text-muted">
          <MovementPlace kind={row.kind} text={side} />
        </span>
      )}
    </span>
  );
}

const LOOKS: Readonly<Record<MovementStanding, Look>> = {
  booked: { tone: "positive", progress: "settled" },
  open: { tone: "warning", progress: "waiting" },
  undated: { tone: "warning", progress: "waiting" },
  unconfirmed: { tone: "warning", progress: "moving" },
  failed: { tone: "negative", progress: "settled" },
  dropped: { tone: "neutral", progress: "settled" },
};

export function Standing({ standing }: Pick<ListedMovement, "standing">) {
  const t = useTranslations("movements.standings");
  return <Status {...LOOKS[standing]}>{t(standing)}</Status>;
}

type SumProps = { decimal: string; coin: Coin | undefined };

export function AssetSumText({ decimal, coin }: SumProps) {
  const locale = useLocale();
  return coin === undefined ? <Money decimal={decimal} /> : <Amount number={formatCrypto(decimal, locale)} />;
}

export function MovedAmount({ amount, isExact, coin, direction }: ListedMovement) {
  const t = useTranslations("movements");
  if (!isExact || direction === null)
    return (
      <span className="wrap-anywhere whitespace-normal">
        <ProviderText text={amount} />
      </span>
    );
  if (coin === undefined) return <Money decimal={amount} direction={direction === "in" ? "CREDIT" : "DEBIT"} />;
  const unit = coin.asset ?? (coin.token === null ? t("assetUntold") : shortAddress(coin.token));
  return <MovedCoins decimal={amount} unit={unit} direction={direction} />;
}
