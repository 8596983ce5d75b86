"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { CopyButton } from "@/components/copy-button";
import { shortAddress } from "@/components/grouped-address";
import { formatDate, formatDateTime } from "@/lib/format";
import type { WalletRow as Row } from "@/lib/wallets/queries";
import { FamilyName, ListedAmount, WalletKind, WalletStatus } from "./wallet-words";
import { ProviderText } from "@/components/provider-text";

const SHOWN_ASSETS = 2;

export function WalletRow({ wallet }: { wallet: Row }) {
  const t = useTranslations("wallets");
  const locale = useLocale();
  const shown = wallet.balances.slice(0, SHOWN_ASSETS);
  const left = wallet.balances.length - shown.length;
  return (
    <tr>
      <td>
        <FamilyName family={wallet.network} />
      </td>
      <td>
        <span className="flex items-center gap-1">
          <Link
            href={`/wallets/${encodeURIComponent(wallet.id)}`}
            prefetch={false}
            className="row-link truncate font-mono text-sm font-medium"
          >
            <ProviderText text={shortAddress(wallet.address)} />
          </Link>
          {/* A narrow window shows the address to its end instead. */}
          <span data-from="medium">
            <CopyButton text={wallet.address} label={t("copyAddress")} />
          </span>
        </span>
      </td>
      <td data-from="medium">
        <WalletKind {...wallet} />
      </td>
      <td data-from="wide">
        <WalletStatus status={wallet.status} />
      </td>
      <td data-from="wide">{formatDate(wallet.createdAt, locale)}</td>
      <td data-align="end">
        {wallet.balances.length === 0 ? (
          wallet.unreadBalances > 0 ? null : (
            <span className="text-faint">{wallet.balancesAsOf === null ? t("notRead") : t("noBalance")}</span>
          )
        ) : (
          <span className="flex flex-wrap justify-end gap-x-4 py-1 wrap-anywhere whitespace-normal">
            {shown.map((held) => (
              <span key={`${held.network} ${held.asset} ${held.tokenAddress ?? ""}`}>
                <ListedAmount held={held} />
              </span>
            ))}
            {left > 0 ? <span className="text-muted">{t("moreAssets", { count: left })}</span> : null}
          </span>
        )}
        {wallet.unreadBalances === 0 ? null : (
          <span className="block text-sm whitespace-normal text-warning">
            {t("unreadBalances", { count: wallet.unreadBalances })}
          </span>
        )}
        <BalancesAge wallet={wallet} />
      </td>
    </tr>
  );
}

/** When these figures were read, the oldest of them; the list itself may have been read since. */
function BalancesAge({ wallet: { balances, balancesAsOf } }: { wallet: Row }) {
  const t = useTranslations("wallets");
  const locale = useLocale();
  if (balancesAsOf === null && balances.length === 0) return null;
  return (
    <span className="block text-sm whitespace-normal text-muted tabular-nums">
      {balancesAsOf === null ? t("partlyRead") : t("readOn", { time: formatDateTime(balancesAsOf, locale) })}
    </span>
  );
}
