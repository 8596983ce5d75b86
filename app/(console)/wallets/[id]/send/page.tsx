import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { requireScope, screen } from "@/app/(console)/screen";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { EmptyView, NotFoundView } from "@/components/layout/empty-view";
import { PageHeader } from "@/components/layout/page-header";
import { LiveRefresh } from "@/components/live/live-refresh";
import { formatDateTime } from "@/lib/text/format";
import { shortAddress } from "@/lib/text/short";
import { providerText } from "@/lib/text/provider-word";
import { getWallet, type WalletView } from "@/lib/wallets/queries";
import { SendForm } from "./send-form";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("sendForm"))("title") };
}

/** Completely read and empty: an unread network may hold something. */
const isKnownEmpty = ({ balances, networks }: WalletView) =>
  balances.length === 0 &&
  networks.every(({ asOf, trouble, unread }) => asOf !== null && trouble === null && unread.length === 0);

async function SendPage({ params }: { params: Promise<{ id: string }> }) {
  const { permissions } = await requireScope();
  if (!permissions.includes("crypto-transfers:create")) return <ForbiddenView screen="sendForm" />;
  const [{ id }, t, locale] = await Promise.all([params, getTranslations("sendForm"), getLocale()]);
  const wallet = await getWallet(decodeURIComponent(id));
  if (wallet === null || wallet.networks.length === 0) return <NotFoundView />;
  const { address, label, balancesAsOf } = wallet;
  const parent = {
    href: `/wallets/${encodeURIComponent(wallet.id)}`,
    label: label ?? providerText(shortAddress(address)),
  };
  const empty =
    isKnownEmpty(wallet) && balancesAsOf !== null ? (
      <EmptyView
        icon="purse"
        title={t("emptyTitle")}
        body={t("emptyBody", { time: formatDateTime(balancesAsOf, locale) })}
      />
    ) : null;
  return (
    <>
      <LiveRefresh topics={["wallets"]} object={wallet.id} />
      <PageHeader title={t("title")} parent={parent} />
      <SendForm
        wallet={{ id: wallet.id, address, label }}
        networks={wallet.networks.map(({ network, asOf, trouble, balances }) => ({
          network,
          asOf,
          trouble,
          balances: balances ?? [],
        }))}
        empty={empty}
      />
    </>
  );
}

export default screen("app/(console)/wallets/[id]/send/page", SendPage);
