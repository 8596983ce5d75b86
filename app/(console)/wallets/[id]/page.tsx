import { NotFoundView } from "@/components/table/empty-view";
import type { Metadata } from "next";
import { useLocale, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { ObjectCalls } from "@/app/(console)/calls/object-calls";
import { requireScope, screen } from "@/app/(console)/screen";
import { ForbiddenView } from "@/app/(console)/denial";
import { AssetAmount, FamilyName, WalletKind, WalletStatus } from "@/app/(console)/wallets/wallet-words";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { PageHeader } from "@/components/layout/page-header";
import { RecordColumns, RecordSection } from "@/components/layout/record-columns";
import { LiveRefresh } from "@/components/live/live-refresh";
import { CopyButton } from "@/components/table/copy-button";
import { GroupedAddress } from "@/components/table/grouped-address";
import { ProviderText } from "@/components/table/provider-text";
import { ShownFields } from "@/components/table/unread-records";
import { formatDateTime, formatTime, shortAddress } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { getWallet, type WalletNetworkView, type WalletView } from "@/lib/wallets/queries";

/** A network that fails does not hide the others. */
function NetworkBalances({ view }: { view: WalletNetworkView }) {
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
          {view.balances.map((balance) => (
            <li key={`${balance.asset} ${balance.tokenAddress ?? ""}`} className="flex min-h-8 items-center gap-3">
              <span className="flex min-w-0 flex-1 items-center gap-1 text-sm text-muted">
                {balance.tokenAddress === null ? (
                  t("native")
                ) : (
                  <>
                    <code className="truncate font-mono" title={providerText(balance.tokenAddress)}>
                      <ProviderText text={shortAddress(balance.tokenAddress)} />
                    </code>
                    <CopyButton text={balance.tokenAddress} label={t("copyContract")} />
                  </>
                )}
              </span>
              <span className="font-medium">
                <AssetAmount held={balance} />
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

function WalletDetails({ wallet }: { wallet: WalletView }) {
  const t = useTranslations("wallets");
  const locale = useLocale();
  return (
    <RecordSection id="details" title={t("details")}>
      <DescriptionList>
        <Described name={t("columns.network")}>
          <FamilyName family={wallet.network} />
        </Described>
        <Described name={t("columns.coin")}>
          <ProviderText text={wallet.coin} />
        </Described>
        <Described name={t("columns.kind")}>
          <WalletKind {...wallet} />
        </Described>
        <Described name={t("columns.status")}>
          <WalletStatus status={wallet.status} />
        </Described>
        <Described name={t("columns.created")}>{formatDateTime(wallet.createdAt, locale)}</Described>
      </DescriptionList>
    </RecordSection>
  );
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("wallets"))("wallet") };
}

async function WalletPage({ params }: { params: Promise<{ id: string }> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("wallets:read")) return <ForbiddenView screen="wallets" permission="wallets:read" />;
  const { id } = await params;
  const [wallet, t] = await Promise.all([getWallet(decodeURIComponent(id)), getTranslations("wallets")]);
  if (!wallet) return <NotFoundView />;
  return (
    <>
      <LiveRefresh topics={["wallets"]} object={wallet.id} />
      <PageHeader title={providerText(shortAddress(wallet.address))} parent={{ href: "/wallets", label: t("title") }} />
      <RecordColumns aside={<WalletDetails wallet={wallet} />}>
        <RecordSection id="address" title={t("address")}>
          <div className="border-y border-line px-5 py-3.5">
            <div className="flex items-start gap-2 text-md">
              <GroupedAddress address={wallet.address} />
              <CopyButton text={wallet.address} label={t("copyAddress")} />
            </div>
            <p className="mt-1.5 text-sm text-muted">{t("addressHint")}</p>
          </div>
        </RecordSection>
        <RecordSection id="balances" title={t("balances")}>
          <div className="border-t border-line">
            {wallet.networks.map((view) => (
              <NetworkBalances key={view.network} view={view} />
            ))}
          </div>
        </RecordSection>
        <ObjectCalls kind="wallet" id={wallet.id} />
      </RecordColumns>
    </>
  );
}

export default screen("app/(console)/wallets/[id]/page", WalletPage);
