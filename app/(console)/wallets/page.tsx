import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { requireScope, screen } from "@/app/(console)/screen";
import { deniedReason, ForbiddenView } from "@/app/(console)/permission-denied";
import { PageHeader } from "@/components/layout/page-header";
import { UnreadRecords } from "@/components/table/unread-records";
import { buttonClass } from "@/components/ui/button";
import { Icon } from "@/components/ui/icons";
import { savedViews } from "@/lib/preferences/queries";
import { hrefWith } from "@/lib/text/page";
import { listWallets } from "@/lib/wallets/queries";
import { WalletFilter } from "@/lib/wallets/inputs";
import { MakeButton } from "./make-wallet";
import { WalletList } from "./wallet-list";
import { WalletMenu } from "./wallet-menu";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("wallets"))("title") };
}

async function WalletsPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("wallets:read")) return <ForbiddenView screen="wallets" />;
  const asked = await searchParams;
  const filter = WalletFilter.parse(asked);
  const saved = await savedViews.wallets();
  const own = saved.find(({ isDefault }) => isDefault);
  if (own !== undefined && Object.keys(asked).length === 0) redirect(`/wallets?${own.search}`);
  const [wallets, t, denial, labelDenial] = await Promise.all([
    listWallets(filter),
    getTranslations(),
    deniedReason(scope.permissions, "wallets:create"),
    deniedReason(scope.permissions, "wallets:label"),
  ]);
  const { page: _, ...filed } = filter;
  return (
    <>
      <PageHeader title={t("wallets.title")}>
        <a
          href={hrefWith("/api/exports/wallets", { ...filed, scope: scope.id })}
          download
          aria-label={t("wallets.export")}
          className={buttonClass("plain")}
        >
          <Icon of="download" size={14} />
          CSV
        </a>
        <WalletMenu makeDenial={denial} labelDenial={labelDenial} />
        <MakeButton kind="wallet" denial={denial} />
      </PageHeader>
      <WalletList key={JSON.stringify(filter)} initial={wallets} filter={filter} saved={saved} />
      <UnreadRecords records={wallets.unread} />
    </>
  );
}

export default screen("app/(console)/wallets/page", WalletsPage);
