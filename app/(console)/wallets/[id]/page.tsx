import { NotFoundView } from "@/components/layout/empty-view";
import type { Metadata } from "next";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { ObjectCalls } from "@/app/(console)/calls/object-calls";
import { requireScope, screen } from "@/app/(console)/screen";
import { deniedReason, ForbiddenView } from "@/app/(console)/permission-denied";
import { LabelButton } from "@/app/(console)/wallets/label-buttons";
import {
  AssetAmount,
  FamilyName,
  ProviderKind,
  useTrouble,
  WalletStatus,
  WalletUse,
} from "@/app/(console)/wallets/wallet-words";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { PageHeader } from "@/components/layout/page-header";
import { RecordColumns, RecordSection } from "@/components/layout/record-columns";
import { SectionBoundary } from "@/components/freshness/section-boundary";
import { LiveRefresh } from "@/components/live/live-refresh";
import { CopyButton } from "@/components/table/copy-button";
import { ShortCode } from "@/components/table/short-code";
import { GroupedAddress } from "@/components/table/grouped-address";
import { PermittedLink } from "@/components/ui/permitted-link";
import { ProviderText } from "@/components/layout/provider-text";
import { ShownFields } from "@/components/table/unread-records";
import { formatDateTime, formatTime } from "@/lib/text/format";
import { shortAddress } from "@/lib/text/short";
import { hrefWith } from "@/lib/text/page";
import { providerText } from "@/lib/text/provider-word";
import {
  getWallet,
  listOpenSends,
  listSentCoins,
  type WalletNetworkView,
  type WalletView,
} from "@/lib/wallets/queries";
import { HistoryFilter } from "@/lib/wallets/inputs";
import type { WalletOrigin } from "@/lib/wallets/view";
import { listRefusedOfWallets } from "@/lib/outcomes/queries";
import { RefusedWrites } from "@/app/(console)/outcomes/refused-writes";
import { OpenSends } from "./open-sends";
import { SentCoins } from "./sent-coins";
import { HistorySkeleton, WalletHistory } from "./wallet-history";

/** A network that fails does not hide the others. */
function NetworkBalances({ view }: { view: WalletNetworkView }) {
  const t = useTranslations("wallets");
  return (
    <div className="grid gap-x-6 border-b border-line px-5 py-2.5 medium:grid-cols-[11rem_minmax(0,1fr)]">
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
                  <ShortCode text={balance.tokenAddress} copyLabel={t("copyContract")} />
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
        <div key={place} className="py-1.5 medium:col-start-2">
          <p className="text-warning">{t("unreadBalance")}</p>
          <ShownFields body={body} />
        </div>
      ))}
    </div>
  );
}

function Reading({ view: { asOf, trouble } }: { view: WalletNetworkView }) {
  const t = useTranslations("wallets");
  const locale = useLocale();
  const says = useTrouble();
  return (
    <>
      {asOf === null ? null : (
        <p className="text-sm text-muted tabular-nums">{t("readAt", { time: formatTime(asOf, locale) })}</p>
      )}
      {trouble === null ? null : <p className="text-sm text-warning tabular-nums">{says(trouble)}</p>}
    </>
  );
}

function Origin({ of: { reference, customer, isUnopened, byName, at } }: { of: WalletOrigin }) {
  const t = useTranslations();
  const locale = useLocale();
  const none = <span className="text-muted">{t("walletForm.noCustomer")}</span>;
  return (
    <>
      <Described name={t("walletForm.reference")}>{reference ?? (isUnopened ? t("common.unopened") : none)}</Described>
      <Described name={t("walletForm.customer")}>{customer ?? (isUnopened ? t("common.unopened") : none)}</Described>
      <Described name={t("walletForm.made")}>
        {t("walletForm.madeAt", { name: byName, time: formatDateTime(at, locale) })}
      </Described>
    </>
  );
}

type WalletDetailsProps = { wallet: WalletView; denial: string | null; seesEvents: boolean };

function WalletDetails({ wallet, denial, seesEvents }: WalletDetailsProps) {
  const t = useTranslations("wallets");
  const locale = useLocale();
  const named = { id: wallet.id, label: wallet.label, setUse: wallet.setUse };
  return (
    <RecordSection id="details" title={t("details")} action={<LabelButton wallet={named} denial={denial} />}>
      <DescriptionList>
        <Described name={t("labels.label")}>
          {wallet.label ?? <span className="text-muted">{t("labels.none")}</span>}
        </Described>
        {wallet.origin === null ? null : <Origin of={wallet.origin} />}
        <Described name={t("columns.network")}>
          <FamilyName family={wallet.network} />
        </Described>
        <Described name={t("columns.coin")}>
          <ProviderText text={wallet.coin} />
        </Described>
        <Described name={t("columns.use")}>
          <WalletUse use={wallet.use} />
        </Described>
        <Described name={t("providerKind")}>
          <ProviderKind isForwardPayment={wallet.isForwardPayment} />
        </Described>
        <Described name={t("user")}>
          {wallet.userId === null ? (
            <span className="text-muted">{t("kindUnreported")}</span>
          ) : (
            <Link href={hrefWith("/wallets", { user: wallet.userId })} prefetch={false} className="text-accent">
              <ProviderText text={wallet.userId} />
            </Link>
          )}
        </Described>
        <Described name={t("columns.status")}>
          <WalletStatus status={wallet.status} />
        </Described>
        <Described name={t("columns.created")}>{formatDateTime(wallet.createdAt, locale)}</Described>
        {seesEvents ? (
          <Described name={t("events")}>
            <Link
              href={hrefWith("/webhooks", { search: `wallet:${wallet.id}` })}
              prefetch={false}
              className="text-accent"
            >
              {t("eventsLink")}
            </Link>
          </Described>
        ) : null}
      </DescriptionList>
    </RecordSection>
  );
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("wallets"))("wallet") };
}

type WalletPageProps = { params: Promise<{ id: string }>; searchParams: Promise<Record<string, unknown>> };

async function WalletPage({ params, searchParams }: WalletPageProps) {
  const scope = await requireScope();
  if (!scope.permissions.includes("wallets:read")) return <ForbiddenView screen="wallets" />;
  const [{ id }, asked] = await Promise.all([params, searchParams]);
  const filter = HistoryFilter.parse(asked);
  const [wallet, sends, sent, t, denial, sendDenial, send] = await Promise.all([
    getWallet(decodeURIComponent(id)),
    listOpenSends(decodeURIComponent(id)),
    listSentCoins(decodeURIComponent(id)),
    getTranslations("wallets"),
    deniedReason(scope.permissions, "wallets:label"),
    deniedReason(scope.permissions, "crypto-transfers:create"),
    getTranslations("sendForm"),
  ]);
  if (!wallet) return <NotFoundView />;
  const seesEvents = scope.permissions.includes("webhooks:read");
  const address = providerText(shortAddress(wallet.address));
  return (
    <>
      <LiveRefresh topics={["wallets"]} object={wallet.id} />
      <PageHeader
        title={wallet.label ?? address}
        {...(wallet.label !== null && { lead: address })}
        parent={{ href: "/wallets", label: t("title") }}
      >
        {wallet.networks.length === 0 ? null : (
          <PermittedLink href={`/wallets/${encodeURIComponent(wallet.id)}/send`} denial={sendDenial}>
            {send("button")}
          </PermittedLink>
        )}
      </PageHeader>
      <RecordColumns
        aside={<WalletDetails wallet={wallet} denial={denial} seesEvents={seesEvents} />}
        after={
          <>
            <OpenSends sends={sends} seesOutcomes={scope.permissions.includes("outcomes:end")} />
            <RefusedWrites isOfRecord read={listRefusedOfWallets(`wallet:${wallet.id}`)} />
            <SentCoins walletId={wallet.id} sends={sent} />
            {/* After the balances: they name the tokens that are asked about. */}
            <SectionBoundary>
              <Suspense fallback={<HistorySkeleton />}>
                <WalletHistory walletId={wallet.id} filter={filter} scopeId={scope.id} />
              </Suspense>
            </SectionBoundary>
            <ObjectCalls kind="wallet" id={wallet.id} />
          </>
        }
      >
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
      </RecordColumns>
    </>
  );
}

export default screen("app/(console)/wallets/[id]/page", WalletPage);
