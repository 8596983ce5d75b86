import { useLocale, useTranslations } from "next-intl";
import { AssetAmount } from "@/app/(console)/wallets/wallet-words";
import { CopyButton } from "@/components/copy-button";
import { shortAddress } from "@/components/grouped-address";
import { ShownFields } from "@/components/unread-records";
import { formatTime } from "@/lib/format";
import type { WalletNetworkView } from "@/lib/wallets/queries";
import { ProviderText } from "@/components/provider-text";
import { providerText } from "@/lib/unknown";

/** What the address holds on one network, with when it was read; a network that fails does not hide the others. */
export function NetworkBalances({ view }: { view: WalletNetworkView }) {
  const t = useTranslations("wallets");
  return (
    <div className="grid gap-x-6 border-b border-line px-5 py-2.5 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <div>
        <h3 className="font-medium">{t(`networks.${view.network}`)}</h3>
        <Reading view={view} />
      </div>
      {view.balances === null || view.balances.length === 0 ? (
        <p className="self-center text-muted">
          {view.balances === null ? t("neverRead") : view.unread.length === 0 ? t("noAssets") : null}
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {view.balances.map((held) => (
            <li key={`${held.asset} ${held.tokenAddress ?? ""}`} className="flex min-h-8 items-center gap-3">
              <span className="flex min-w-0 flex-1 items-center gap-1 text-sm text-muted">
                {held.tokenAddress === null ? (
                  t("native")
                ) : (
                  <>
                    <code className="truncate font-mono" title={providerText(held.tokenAddress)}>
                      <ProviderText text={shortAddress(held.tokenAddress)} />
                    </code>
                    <CopyButton text={held.tokenAddress} label={t("copyContract")} />
                  </>
                )}
              </span>
              <span className="font-medium">
                <AssetAmount held={held} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {view.unread.map((body, place) => (
        <div key={place} className="py-1.5 sm:col-start-2">
          <p className="text-warning">{t("unreadBalance")}</p>
          <ShownFields body={body} />
        </div>
      ))}
    </div>
  );
}

function Reading({ view: { asOf, hasFailed } }: { view: WalletNetworkView }) {
  const t = useTranslations("wallets");
  const locale = useLocale();
  if (asOf === null) return <p className="text-sm text-warning">{hasFailed ? t("networkFailed") : null}</p>;
  const time = formatTime(asOf, locale);
  if (hasFailed) return <p className="text-sm text-warning">{t("older", { time })}</p>;
  return <p className="text-sm text-muted tabular-nums">{t("readAt", { time })}</p>;
}
