import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ObjectCalls } from "@/app/(console)/calls/object-calls";
import { requireDesk } from "@/app/(console)/desk";
import { screen } from "@/app/(console)/screen";
import { ForbiddenView } from "@/app/(console)/forbidden-view";
import { CopyButton } from "@/components/copy-button";
import { GroupedAddress, shortAddress } from "@/components/grouped-address";
import { LiveRefresh } from "@/components/live-refresh";
import { PageHeader } from "@/components/page-header";
import { RecordColumns, RecordSection } from "@/components/record-columns";
import { getWallet } from "@/lib/wallets/queries";
import { NetworkBalances } from "./network-balances";
import { WalletDetails } from "./wallet-details";
import { providerText } from "@/lib/unknown";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("wallets"))("wallet") };
}

async function WalletPage({ params }: { params: Promise<{ id: string }> }) {
  const desk = await requireDesk();
  if (!desk.permissions.includes("wallets:read")) return <ForbiddenView screen="wallets" permission="wallets:read" />;
  const { id } = await params;
  const [wallet, t] = await Promise.all([getWallet(decodeURIComponent(id)), getTranslations("wallets")]);
  if (!wallet) notFound();
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

export default screen(WalletPage);
