import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireScope, screen } from "@/app/(console)/screen";
import { ForbiddenView } from "@/app/(console)/denial";
import { PageHeader } from "@/components/layout/page-header";
import { UnreadRecords } from "@/components/table/unread-records";
import { listWallets } from "@/lib/wallets/queries";
import { WalletFilter } from "@/lib/wallets/rules";
import { OtcTradeButton } from "./otc-trade";
import { WalletList } from "./wallet-list";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("wallets"))("title") };
}

async function WalletsPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("wallets:read")) return <ForbiddenView screen="wallets" permission="wallets:read" />;
  const filter = WalletFilter.parse(await searchParams);
  const [wallets, t] = await Promise.all([listWallets(filter), getTranslations("wallets")]);
  return (
    <>
      <PageHeader title={t("title")}>
        <OtcTradeButton />
      </PageHeader>
      <WalletList key={JSON.stringify(filter)} initial={wallets} filter={filter} />
      <UnreadRecords records={wallets.unread} />
    </>
  );
}

export default screen("app/(console)/wallets/page", WalletsPage);
