import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { requireDesk } from "@/app/(console)/desk";
import { ForbiddenView } from "@/app/(console)/forbidden-view";
import { FamilyName, WalletStatus } from "@/app/(console)/wallets/wallet-words";
import { CopyButton } from "@/components/copy-button";
import { Described, DescriptionList } from "@/components/description-list";
import { GroupedAddress, shortAddress } from "@/components/grouped-address";
import { PageHeader } from "@/components/page-header";
import { formatDateTime } from "@/lib/format";
import { getWallet } from "@/lib/wallets/queries";
import { NetworkBalances } from "./network-balances";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("wallets"))("wallet") };
}

export default async function WalletPage({ params }: { params: Promise<{ id: string }> }) {
  const desk = await requireDesk();
  if (!desk.permissions.includes("wallets:read")) return <ForbiddenView permission="wallets:read" />;
  const { id } = await params;
  const [wallet, t, locale] = await Promise.all([
    getWallet(decodeURIComponent(id)),
    getTranslations("wallets"),
    getLocale(),
  ]);
  if (!wallet) notFound();
  return (
    <>
      <PageHeader title={shortAddress(wallet.address)} parent={{ href: "/wallets", label: t("title") }} />
      <section aria-labelledby="address" className="max-w-4xl border-y border-line bg-canvas px-5 py-3.5">
        <h2 id="address" className="text-sm text-muted">
          {t("address")}
        </h2>
        <div className="mt-1.5 flex items-start gap-2 text-md">
          <GroupedAddress address={wallet.address} />
          <CopyButton text={wallet.address} label={t("copyAddress")} />
        </div>
        <p className="mt-1.5 text-sm text-muted">{t("addressHint")}</p>
      </section>
      <section aria-labelledby="balances" className="max-w-4xl">
        <h2 id="balances" className="px-5 pt-6 pb-2 font-semibold">
          {t("balances")}
        </h2>
        <div className="border-t border-line">
          {wallet.networks.map((view) => (
            <NetworkBalances key={view.network} view={view} />
          ))}
        </div>
      </section>
      <section aria-labelledby="details" className="max-w-4xl pb-10">
        <h2 id="details" className="px-5 pt-6 pb-2 font-semibold">
          {t("details")}
        </h2>
        <DescriptionList>
          <Described name={t("columns.network")}>
            <FamilyName family={wallet.network} />
          </Described>
          <Described name={t("columns.coin")}>{wallet.coin}</Described>
          <Described name={t("columns.kind")}>{wallet.isForwardPayment ? t("forward") : t("master")}</Described>
          <Described name={t("columns.status")}>
            <WalletStatus status={wallet.status} />
          </Described>
          <Described name={t("columns.created")}>{formatDateTime(wallet.createdAt, locale)}</Described>
        </DescriptionList>
      </section>
    </>
  );
}
