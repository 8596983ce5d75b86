import { useLocale, useTranslations } from "next-intl";
import { Status } from "@/components/ui/status";
import { UnknownStatus } from "@/components/status-badge";
import { formatCrypto } from "@/lib/format";
import type { AssetBalance } from "@/lib/wallets/queries";

const FAMILIES = ["EVM", "BTC", "TRON", "SOLANA", "XRPL"] as const;

/** A chain family by name; one the interface does not name is shown as it came. */
export function FamilyName({ family }: { family: string }) {
  const t = useTranslations("wallets.filters");
  const known = FAMILIES.find((name) => name === family);
  return known ? t(known) : family;
}

export function WalletStatus({ status }: { status: string }) {
  const t = useTranslations("wallets.status");
  if (status !== "ACTIVE") return <UnknownStatus word={status} />;
  return (
    <Status tone="positive" progress="settled">
      {t("ACTIVE")}
    </Status>
  );
}

/** Exact, every digit of it. */
export function AssetAmount({ held }: { held: Pick<AssetBalance, "asset" | "balance"> }) {
  const locale = useLocale();
  return `${formatCrypto(held.balance, locale)} ${held.asset}`;
}
